package org.exsockets.nio.select;

import java.util.function.IntConsumer;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WakeWord;

/** A sign without peers, which keeps what it was told. */
final class SleepSignInMemory implements SleepSign, WakeWord {
    /** Null: awake. */
    Place place;

    /** Whether peers can be told that it is asleep. */
    boolean works = true;

    boolean news;
    boolean closed;
    int sleeps;
    int wakeUps;

    /** Of the latest sleep on the word, in nanoseconds. */
    long timeoutNs;

    /** What happens during a sleep on the word. */
    Runnable onSleep = () -> {};

    private int cells;

    @Override
    public boolean asleep(Place where) {
        place = where;
        return works;
    }

    @Override
    public void awake() {
        place = null;
    }

    @Override
    public WakeWord word() {
        return this;
    }

    @Override
    public int openCell() {
        return cells++;
    }

    @Override
    public void closeCell(int cell) {}

    @Override
    public boolean hasNews() {
        return news;
    }

    @Override
    public void takeNews(IntConsumer cells) {
        news = false;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void arm() {
        throw new AssertionError("the sign does that");
    }

    @Override
    public boolean sleep(long limitNs) {
        sleeps++;
        timeoutNs = limitNs;
        onSleep.run();
        return false;
    }

    @Override
    public void wake() {
        wakeUps++;
    }
}

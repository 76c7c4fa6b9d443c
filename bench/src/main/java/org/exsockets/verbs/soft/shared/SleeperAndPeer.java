package org.exsockets.verbs.soft.shared;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;

/**
 * The handshakes of a sign, in memory of this JVM. A thread goes to sleep, wakes up and looks at its cells. A peer
 * publishes an arrival, may set a cell and may wake the thread. For stress tests.
 */
public final class SleeperAndPeer {
    private static final int CELL = 0;

    private final ByteBuffer memory = direct(SleepSignDescriptor.cellOffset(SleepSignDescriptor.CHUNK_CELLS));
    private final ByteBuffer arrival = direct(Integer.BYTES);
    private final Words words = Words.of(memory);
    private final OwnSign sign = new OwnSign(new SignNumbers(), words, 0, new SleepWords(words));
    private final MappedSigns peers = new MappedSigns(memory);

    public SleeperAndPeer() {
        sign.openCell();
    }

    private static ByteBuffer direct(int lengthBytes) {
        return ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.nativeOrder());
    }

    /** The peer. {@return whether it gives an event} */
    public boolean publish() {
        Words.of(arrival).intRelease(0, 1);
        Words.storeLoadFence();
        return end();
    }

    /** The peer, which also sets the cell. {@return whether it gives an event} */
    public boolean publishAndSet() {
        Words.of(arrival).intRelease(0, 1);
        Words.storeLoadFence();
        return setAndEnd();
    }

    /** The peer sets the cell for another arrival than this one. {@return whether it gives an event} */
    public boolean setAndEnd() {
        peers.set(0, sign.cellOfAll(CELL));
        return end();
    }

    /** The peer, for another queue of the sleeper. {@return whether it gives an event} */
    public boolean end() {
        long sleep = peers.sleep(0);
        if (sleep != 0) {
            peers.end(0, sleep);
        }
        return sleep != 0;
    }

    /** The sleeper. {@return whether the arrival is there, so that it does not sleep} */
    public boolean fallAsleep() {
        sign.asleep(SleepSign.Place.CHANNELS);
        return hasArrived();
    }

    /**
     * The sleeper, which polls only queues with set cells. {@return whether there is news, so that it does not
     * sleep}
     */
    public boolean fallAsleepBehindCells() {
        sign.asleep(SleepSign.Place.CHANNELS);
        return sign.hasNews();
    }

    /** The sleeper. {@return whether the arrival is there} */
    public boolean wakeUp() {
        sign.awake();
        return hasArrived();
    }

    /** The poller. {@return whether the cell was set, and the arrival is there} */
    public boolean takeNews() {
        boolean[] set = new boolean[1];
        if (sign.hasNews()) {
            sign.takeNews(cell -> set[0] = true);
        }
        return set[0] && hasArrived();
    }

    private boolean hasArrived() {
        return Words.of(arrival).intAcquire(0) != 0;
    }
}

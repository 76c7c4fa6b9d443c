package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.exsockets.jdk.Threads;
import org.exsockets.verbs.SleepSign;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.WordPlace;
import org.jspecify.annotations.Nullable;

/**
 * Where a selection sleeps, on the word of the sign or in the inner selector, and how it is woken there. Belongs to the
 * selecting thread, but for {@link #wake}.
 */
final class SelectorSleep {
    private static final long NS_PER_MS = 1_000_000;

    private final Selector inner;
    private final Consumer<SelectionKey> onInner;

    /** The selector's: a wake-up that no selection has consumed yet. */
    private final AtomicBoolean wakeup;

    private final Registrations registrations;
    private final SignedKeys signs;
    private final SpinLoop loop;

    /**
     * Where the selecting thread sleeps or is about to; null: nowhere. Dekker's handshake: that thread writes this,
     * then reads {@link #wakeup} and the changes of {@link #registrations}; a waker writes those, then reads this.
     */
    private volatile @Nullable Selector sleepsIn;

    /** On the word of the sign; null until it is needed. */
    private @Nullable WordPlace wordPlace;

    long endedNs;

    SelectorSleep(
            Selector inner,
            Consumer<SelectionKey> onInner,
            AtomicBoolean wakeup,
            Registrations registrations,
            SignedKeys signs,
            SpinLoop loop) {
        this.inner = inner;
        this.onInner = onInner;
        this.wakeup = wakeup;
        this.registrations = registrations;
        this.signs = signs;
        this.loop = loop;
    }

    /** Ends a sleep, or one that is about to begin, after what it is to see has been written. Any thread. */
    void wake() {
        Selector place = sleepsIn;
        if (place != null) {
            place.wakeup();
        }
    }

    /**
     * Tells the peers that see the sign that this selection is about to sleep, and has the background thread or the
     * inner selector watch for the rest.
     *
     * @return where it sleeps, as the sign says; null: in the inner selector, without a sign
     */
    @SuppressWarnings("NullAway") // A process whose keys wake on the word has it.
    SleepSign.@Nullable Place announce() {
        // The JDK's selector lets go of a virtual thread's carrier, as it does on that JDK; futex(2) does not.
        boolean onWord = !registrations.needInner() && !Threads.currentIsVirtual();
        if (onWord && announce(SleepSign.Place.WORD)) {
            registrations.lookUnwatched();
            registrations.watchInner();
            if (wordPlace == null) {
                wordPlace = new WordPlace(signs.sign().word());
            }
            return SleepSign.Place.WORD;
        }
        registrations.enterInner();
        return announce(SleepSign.Place.CHANNELS) ? SleepSign.Place.CHANNELS : null;
    }

    private boolean announce(SleepSign.Place place) {
        if (!signs.open()) {
            return false;
        }
        if (signs.sign().asleep(place)) {
            return true;
        }
        signs.giveUp();
        return false;
    }

    /**
     * Sleeps, unless there is news already.
     *
     * @param onWord whether on the word of the sign
     * @return whether the inner selector has reported something; true also if its silence proves nothing
     */
    boolean sleep(boolean onWord, long leftNs) throws IOException {
        long startNs = System.nanoTime();
        boolean told = onWord;
        long limitNs = Math.min(leftNs, Math.max(1, signs.reviewInNs(startNs)));
        WordPlace word = onWord ? wordPlace : null;
        sleepsIn = word != null ? word : inner;
        try {
            if (!wakeup.get() && !registrations.hasChanges() && !signs.hasNews()) {
                if (word != null) {
                    word.sleep(Math.min(limitNs, Math.max(1, registrations.unwatchedNs(startNs))));
                } else {
                    told = inner.select(onInner, limitNs == Long.MAX_VALUE ? 0 : (limitNs - 1) / NS_PER_MS + 1) > 0
                            || limitNs < leftNs;
                }
            }
        } finally {
            sleepsIn = null;
        }
        endedNs = System.nanoTime();
        loop.slept(endedNs - startNs);
        if (onWord && registrations.unwatchedNs(endedNs) == 0) {
            registrations.watchAll();
        }
        return told;
    }

    void close() {
        if (wordPlace != null) {
            wordPlace.leave();
        }
    }
}

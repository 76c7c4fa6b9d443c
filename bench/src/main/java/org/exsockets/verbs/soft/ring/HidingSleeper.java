package org.exsockets.verbs.soft.ring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.SleepSign.Place;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.verbs.soft.shared.OwnSegments;
import org.exsockets.verbs.soft.shared.OwnSign;
import org.exsockets.verbs.soft.shared.Segment;

/**
 * A thread that hides its sign from a connection, and sleeps without it, while a peer that has seen the sign there wakes
 * the thread. For stress tests, which take turns in {@link #PLACES} of them: no more may be in use at the same time.
 */
public final class HidingSleeper {
    private static final Doorbell MUTE = OwnSegments.mute();
    private static final HidingSleeper[] PLACES = places();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final Segment segment;
    private final EndpointSigns sleeper;
    private final EndpointSigns waker;
    private final OwnSign sign;
    private final int cell;
    private long seen;

    private HidingSleeper(OwnProcess process) throws IOException {
        segment = OwnSegments.open(process);
        sleeper = new EndpointSigns(process, segment, true, MUTE);
        waker = new EndpointSigns(null, segment, false, MUTE);
        sign = (OwnSign) sleeper.open();
        cell = sign.openCell();
    }

    private static HidingSleeper[] places() {
        HidingSleeper[] places = new HidingSleeper[4 * SleepSignDescriptor.SIGNS];
        try {
            OwnProcess process = null;
            for (int i = 0; i < places.length; i++) {
                if (i % SleepSignDescriptor.SIGNS == 0) {
                    process = new OwnProcess(false);
                }
                places[i] = new HidingSleeper(process);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return places;
    }

    /** {@return one that is awake; the peer has seen its sign} */
    public static HidingSleeper next() {
        HidingSleeper next = PLACES[Math.floorMod(NEXT.getAndIncrement(), PLACES.length)];
        next.show();
        return next;
    }

    private void show() {
        sign.awake();
        sleeper.hide(sign);
        sleeper.show(sign, cell, false);
        int offset = SegmentDescriptor.controlOffset(true) + SegmentDescriptor.SIGN_OFFSET;
        seen = segment.words().longAcquire(offset);
    }

    /** The thread: hides the sign, then sleeps, waiting for other connections only. */
    public void sleepWithoutIt() {
        sleeper.hide(sign);
        sign.asleep(Place.CHANNELS);
    }

    /** The peer. */
    public void wake() {
        waker.wakePeer(seen, false);
    }

    /** {@return whether the peer's process wakes the thread for another connection} */
    public boolean isWokenForAnother() {
        return segment.peer().signs().sleep(sign.number()) != 0;
    }
}

package org.exsockets.verbs.soft.ring;

import java.util.concurrent.atomic.AtomicReference;
import org.exsockets.memory.Words;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.MappedSigns;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.verbs.soft.shared.OwnSign;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.Segment;
import org.jspecify.annotations.Nullable;

/**
 * The signs of the two ends of a connection: the one that this end shows, and the one that the peer shows. Any thread.
 */
final class EndpointSigns {
    /** Null: this end shows none. */
    private final @Nullable OwnProcess own;

    private final Segment segment;
    private final Words words;
    private final int ownSign;
    private final int peerSign;
    private final Doorbell doorbell;
    private final AtomicReference<@Nullable SleepSign> shown = new AtomicReference<>();

    /**
     * The peer shows a sign without having passed the memory of its signs: it gets an event for each completion, even
     * while awake.
     */
    private volatile boolean outOfReach;

    EndpointSigns(@Nullable OwnProcess own, Segment segment, boolean isA, Doorbell doorbell) {
        this.own = own;
        this.segment = segment;
        this.words = segment.words();
        this.ownSign = offset(isA);
        this.peerSign = offset(!isA);
        this.doorbell = doorbell;
    }

    private static int offset(boolean ofA) {
        return SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.SIGN_OFFSET;
    }

    @Nullable
    SleepSign open() {
        return own == null ? null : own.openSign();
    }

    boolean show(SleepSign sign, int cell, boolean sets) {
        if (own == null
                || !(sign instanceof OwnSign opened)
                || shown.get() != sign && !shown.compareAndSet(null, sign)) {
            return false;
        }
        long value = SegmentDescriptor.sign(opened.number(), opened.cellOfAll(cell), sets);
        if (words.longPlain(ownSign) != value) {
            words.longRelease(ownSign, value);
            Words.storeLoadFence(); // The caller polls next.
        }
        return true;
    }

    void hide(SleepSign sign) {
        if (shown.get() == sign) {
            words.longRelease(ownSign, 0);
            shown.set(null);
        }
    }

    /**
     * Wakes the peer if its sign says asleep. The caller has published what the peer is to see, then fenced.
     *
     * @param sign what the peer has written into the segment, ≠ 0: not checked
     * @param end whether this end disconnects: then the cell is set in any case
     */
    void wakePeer(long sign, boolean end) {
        int number = SegmentDescriptor.signNumber(sign);
        int cell = SegmentDescriptor.signCell(sign);
        boolean canBe = number >= 0 && number < SleepSignDescriptor.SIGNS && cell < SleepSignDescriptor.CELLS;
        MappedSigns known = canBe ? peers() : null;
        if (known == null) {
            doorbell.ring();
            return;
        }
        if (end || SegmentDescriptor.signSetsCell(sign)) {
            known.set(number, cell);
        }
        long sleep = known.sleep(number);
        if (sleep != 0) {
            wakePeer(known, number, sleep);
        }
    }

    private void wakePeer(MappedSigns known, int number, long sleep) {
        if (SleepSignDescriptor.state(sleep) == SleepSignDescriptor.ON_WORD) {
            known.wake(number);
            known.end(number, sleep);
            return;
        }
        doorbell.ring();
        if (stillShows(number)) {
            known.end(number, sleep);
        }
    }

    /**
     * {@return whether the doorbell just rung ends the sleep that the peer's sign has told of} Between its looks at the
     * segment and at the sign this thread may have been preempted until a later sleep, which does not wait for this
     * connection. The peer has hidden the sign before it turned it to that sleep.
     */
    private boolean stillShows(int number) {
        return SegmentDescriptor.signNumber(words.longAcquire(peerSign)) == number;
    }

    private @Nullable MappedSigns peers() {
        PeerProcess peer = segment.peer();
        if (peer == null && !outOfReach) {
            doorbell.takePassed(); // The peer passes it before it shows a sign.
            peer = segment.peer();
            outOfReach = peer == null;
        }
        return peer == null ? null : peer.signs();
    }
}

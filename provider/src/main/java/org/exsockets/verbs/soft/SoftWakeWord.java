package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;

/** <em>asleep</em> in the control blocks of a segment: the own one to sleep on, the peer's to wake it. */
final class SoftWakeWord implements WakeWord {
    private final ByteBuffer segment;
    private final SleepWords words;
    private final int own;
    private final int peers;
    private final int peerWakes;

    SoftWakeWord(ByteBuffer segment, int ownControl, int peerControl) {
        this.segment = segment;
        this.words = new SleepWords(segment);
        this.own = ownControl + SegmentDescriptor.ASLEEP_OFFSET;
        this.peers = peerControl + SegmentDescriptor.ASLEEP_OFFSET;
        this.peerWakes = peerControl + SegmentDescriptor.WAKES_OFFSET;
    }

    @Override
    public boolean isServed() {
        return SleepWords.supported() && Words.intAcquire(segment, peerWakes) == 1;
    }

    @Override
    public void arm() {
        words.arm(own);
    }

    @Override
    public boolean sleep(long timeoutNs) {
        return words.sleep(own, timeoutNs) == Futex.WOKEN;
    }

    @Override
    public void wake() {
        try {
            words.wake(own);
        } catch (InternalError truncated) {
            return; // As in wakePeer.
        }
    }

    /** Wakes the peer's thread if it sleeps. What it is to see has been published, and a fence is behind it. */
    void wakePeer() {
        try {
            if (words.isArmed(peers)) {
                words.wake(peers);
            }
        } catch (InternalError truncated) {
            return; // Nobody can sleep there: the kernel does not find the word either.
        }
    }
}

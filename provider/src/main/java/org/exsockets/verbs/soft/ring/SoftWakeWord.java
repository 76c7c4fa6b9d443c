package org.exsockets.verbs.soft.ring;

import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.SleepWords;

/** <em>asleep</em> in the control blocks of a segment: the own one to sleep on, the peer's to wake the peer. */
final class SoftWakeWord implements WakeWord {
    private final SleepWords words;
    private final int own;
    private final int peers;

    SoftWakeWord(Words segment, int ownControl, int peerControl) {
        this.words = new SleepWords(segment);
        this.own = ownControl + SegmentDescriptor.ASLEEP_OFFSET;
        this.peers = peerControl + SegmentDescriptor.ASLEEP_OFFSET;
    }

    @Override
    public boolean isServed() {
        return true;
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
        words.wake(own);
    }

    /** Wakes the peer's thread if it sleeps. The caller has published what it is to see, then fenced. */
    void wakePeer() {
        if (words.isArmed(peers)) {
            words.wake(peers);
        }
    }
}

package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;

/**
 * <em>asleep</em> in the control blocks of a segment: the own one to sleep on, the peer's to wake it.
 *
 * <p>Whoever clears a word wakes its sleeper afterwards, so it does no harm that a late sender clears what has been armed
 * anew: the sleeper comes back and looks.
 */
final class SoftWakeWord implements WakeWord {
    private static final int ASLEEP = 1;

    private final ByteBuffer segment;
    private final int own;
    private final int peers;
    private final int peerWakes;

    /** Of the segment; 0 until somebody needs it. Whoever finds 0 asks for it again, and gets the same. */
    private long address;

    SoftWakeWord(ByteBuffer segment, int ownControl, int peerControl) {
        this.segment = segment;
        this.own = ownControl + SegmentDescriptor.ASLEEP_OFFSET;
        this.peers = peerControl + SegmentDescriptor.ASLEEP_OFFSET;
        this.peerWakes = peerControl + SegmentDescriptor.WAKES_OFFSET;
    }

    /** {@return whether this process can sleep on words, and wake who does} */
    static boolean supported() {
        return Futex.usable();
    }

    @Override
    public boolean isServed() {
        return supported() && Words.intAcquire(segment, peerWakes) == 1;
    }

    @Override
    public void arm() {
        Words.intVolatile(segment, own, ASLEEP);
        Words.storeLoadFence();
    }

    @Override
    public boolean sleep(long timeoutNs) {
        return Futex.sleep(address(own), ASLEEP, timeoutNs) == Futex.WOKEN;
    }

    @Override
    public void wake() {
        try {
            wake(own);
        } catch (InternalError truncated) {
            return; // As in wakePeer.
        }
    }

    /** Wakes the peer's thread if it sleeps. What it is to see has been published, and a fence is behind it. */
    void wakePeer() {
        try {
            if (Words.intVolatile(segment, peers) != 0) {
                wake(peers);
            }
        } catch (InternalError truncated) {
            return; // Nobody can sleep there: the kernel does not find the word either.
        }
    }

    private void wake(int word) {
        Words.intRelease(segment, word, 0);
        if (supported()) {
            Futex.wake(address(word));
        }
    }

    private long address(int word) {
        long known = address;
        if (known == 0) {
            known = Futex.address(segment);
            address = known;
        }
        return known + word;
    }
}

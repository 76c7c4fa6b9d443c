package org.exsockets.verbs.soft.ring;

import org.exsockets.memory.Words;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.soft.layout.ArrivalDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/** The memory that both ends of a connection over shared memory can write to, for tests that write over it. */
public final class SharedWords {
    private final Words words;
    private final int slots;

    /** @param end either end; both see the same */
    public SharedWords(Endpoint end) {
        this.words = ((SoftEndpoint) end).segment.words();
        this.slots = end.receiveDepth();
    }

    /** {@return where a field of the control block of an end is} */
    private static int at(boolean ofA, int field) {
        return SegmentDescriptor.controlOffset(ofA) + field;
    }

    private int slot(boolean ofA, long message) {
        return SegmentDescriptor.arrivalsOffset(ofA, slots) + (int) (message % slots) * ArrivalDescriptor.LENGTH;
    }

    /** {@return whether a thread of an end sleeps on its word, or is about to} */
    public boolean isAsleep(boolean ofA) {
        return words.intAcquire(at(ofA, SegmentDescriptor.ASLEEP_OFFSET)) != 0;
    }

    /** {@return whether an end waits for an event} */
    public boolean isArmed(boolean ofA) {
        return words.intAcquire(at(ofA, SegmentDescriptor.ARMED_OFFSET)) != 0;
    }

    /** Nobody wakes a thread of that end, or sends it an event, as it seems to wait for none. */
    public void wipeSleep(boolean ofA) {
        words.longRelease(at(ofA, SegmentDescriptor.ARMED_OFFSET), 0);
    }

    /** {@return the header in the slot where an end gets a message} */
    public long header(boolean ofA, long message) {
        return words.longAcquire(slot(ofA, message));
    }

    public void header(boolean ofA, long message, long value) {
        words.longRelease(slot(ofA, message), value);
    }

    /** Writes over all of such a slot but its header. */
    public void payload(boolean ofA, long message, long value) {
        for (int at = ArrivalDescriptor.IMMEDIATE_OFFSET; at < ArrivalDescriptor.LENGTH; at += Long.BYTES) {
            words.longRelease(slot(ofA, message) + at, value);
        }
    }

    /** {@return the receives that an end says to have posted} */
    public long posted(boolean ofA) {
        return words.longAcquire(at(ofA, SegmentDescriptor.POSTED_OFFSET));
    }

    public void posted(boolean ofA, long value) {
        words.longRelease(at(ofA, SegmentDescriptor.POSTED_OFFSET), value);
    }

    public void use(int value) {
        words.intRelease(SegmentDescriptor.USE_OFFSET, value);
    }
}

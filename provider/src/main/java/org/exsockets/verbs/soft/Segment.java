package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.exsockets.memory.SharedMapping;
import org.exsockets.memory.Words;

/** A mapped segment and its geometry. Belongs to a connection, or to the pool or cache it waits in. */
record Segment(String name, SharedMapping mapping, int slots, int regionBytes, int reserveBytes) {
    private static final int MAPPED = 1;
    private static final int RELEASED = 2;
    private static final byte[] NO_WINDOW_CLOSED = new byte[SegmentDescriptor.WINDOWS * Integer.BYTES];

    /** Never written: a process of the same user has truncated the file. Such a segment is not used again. */
    private static final int GONE = -1;

    /** Makes a fresh segment: everything that {@link #reset} leaves alone. */
    void format() {
        ByteBuffer memory = mapping.memory();
        Words.intPlain(memory, SegmentDescriptor.LAYOUT_OFFSET, SegmentDescriptor.LAYOUT);
        Words.intPlain(memory, SegmentDescriptor.LENGTH_OFFSET, memory.capacity());
        Words.intPlain(memory, SegmentDescriptor.SLOTS_OFFSET, slots);
        Words.intPlain(memory, SegmentDescriptor.REGION_OFFSET, regionBytes);
        Words.intPlain(memory, SegmentDescriptor.RESERVE_OFFSET, reserveBytes);
        Words.longRelease(memory, SegmentDescriptor.MAGIC_OFFSET, SegmentDescriptor.MAGIC);
    }

    /**
     * Makes it ready for a connection; nobody else uses it now.
     *
     * @param proof what the hello of this connection will say, too
     */
    void reset(long proof) {
        resetControl(SegmentDescriptor.CONTROL_A_OFFSET, SleepWords.supported());
        resetControl(SegmentDescriptor.CONTROL_B_OFFSET, false);
        resetWindows(SegmentDescriptor.windowsOffset(true));
        resetWindows(SegmentDescriptor.windowsOffset(false));
        ByteBuffer memory = mapping.memory();
        Words.longPlain(memory, SegmentDescriptor.PROOF_OFFSET, proof);
        Words.intPlain(memory, SegmentDescriptor.PORT_OFFSET, 0);
        int use = Words.intPlain(memory, SegmentDescriptor.USE_OFFSET) + 1;
        if (use > ArrivalDescriptor.MAX_USE) {
            emptySlots();
            use = 1;
        }
        Words.intPlain(memory, SegmentDescriptor.USE_OFFSET, use);
    }

    private void emptySlots() {
        ByteBuffer memory = mapping.memory();
        int end = SegmentDescriptor.ARRIVALS_OFFSET + 2 * slots * ArrivalDescriptor.LENGTH;
        for (int slot = SegmentDescriptor.ARRIVALS_OFFSET; slot < end; slot += ArrivalDescriptor.LENGTH) {
            Words.longPlain(memory, slot + ArrivalDescriptor.HEADER_OFFSET, 0);
        }
    }

    private void resetWindows(int windows) {
        ByteBuffer memory = mapping.memory();
        Words.intPlain(memory, windows + SegmentDescriptor.WITHIN_OFFSET, 0);
        // At once: until the compiler has seen it, a loop over 32 words takes as long as a system call.
        memory.put(windows + SegmentDescriptor.CLOSED_OFFSET, NO_WINDOW_CLOSED);
    }

    private void resetControl(int control, boolean wakes) {
        ByteBuffer memory = mapping.memory();
        Words.intPlain(memory, control + SegmentDescriptor.ARMED_OFFSET, 0);
        Words.intPlain(memory, control + SegmentDescriptor.ASLEEP_OFFSET, 0);
        Words.longPlain(memory, control + SegmentDescriptor.SIGN_OFFSET, 0);
        Words.intPlain(memory, control + SegmentDescriptor.WAKES_OFFSET, wakes ? 1 : 0);
        // The receives of both ends are there from the start, so that neither waits for the other to post them.
        Words.longPlain(memory, control + SegmentDescriptor.POSTED_OFFSET, slots);
        Words.intPlain(memory, control + SegmentDescriptor.REASON_OFFSET, 0);
        Words.intPlain(memory, control + SegmentDescriptor.ACCEPTOR_OFFSET, 0);
        Words.intPlain(memory, control + SegmentDescriptor.TAKEN_OFFSET, 0);
    }

    /** Tells the connecting end that the accepting one does not need the name any more. */
    void markMappedByB() {
        wakesOfB(SleepWords.supported());
        acceptor(MAPPED);
    }

    /** Whether the accepting end wakes sleepers: the connecting one says it before its hello, as the listener's page does. */
    void wakesOfB(boolean wakes) {
        int word = SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.WAKES_OFFSET;
        Words.intRelease(mapping.memory(), word, wakes ? 1 : 0);
    }

    /**
     * Tells the connecting end that the accepting one will not touch the memory again.
     *
     * @return false if the segment was truncated
     */
    boolean markReleasedByB() {
        try {
            acceptor(RELEASED);
            return true;
        } catch (InternalError truncated) {
            return false;
        }
    }

    private void acceptor(int state) {
        Words.intRelease(
                mapping.memory(), SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.ACCEPTOR_OFFSET, state);
    }

    private int acceptor() {
        try {
            return Words.intAcquire(
                    mapping.memory(), SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.ACCEPTOR_OFFSET);
        } catch (InternalError truncated) {
            return GONE;
        }
    }

    /** {@return whether the accepting end has mapped the segment, so that it may lose its name} */
    boolean isMappedByB() {
        return acceptor() != 0;
    }

    /** {@return whether the accepting end has let go} */
    boolean isReleasedByB() {
        return acceptor() == RELEASED;
    }

    /** {@return what the connecting end wrote for this connection} */
    long proof() {
        return Words.longPlain(mapping.memory(), SegmentDescriptor.PROOF_OFFSET);
    }

    /** The reserve that an end writes to: bytes of it that the end has taken; 0: it has not. */
    void taken(boolean ofA, int bytes) {
        Words.intPlain(mapping.memory(), SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.TAKEN_OFFSET, bytes);
    }

    /** {@return bytes of its reserve that an end has taken, as it says; not checked} */
    int taken(boolean ofA) {
        return Words.intPlain(mapping.memory(), SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.TAKEN_OFFSET);
    }

    /** The reserve that an end writes to: bytes of it that have their pages. */
    void there(boolean ofA, int bytes) {
        Words.intPlain(mapping.memory(), SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.THERE_OFFSET, bytes);
    }

    /** {@return bytes of a reserve that have their pages, as has been said; not checked} */
    int there(boolean ofA) {
        return Words.intPlain(mapping.memory(), SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.THERE_OFFSET);
    }

    /** {@return the reserve that an end writes to, from its beginning} */
    ByteBuffer reserve(boolean ofA, int bytes) {
        return mapping.slice(reserveOffset(ofA), bytes);
    }

    /** {@return where that begins in the segment} */
    int reserveOffset(boolean ofA) {
        return SegmentDescriptor.reserveOffset(ofA, slots, regionBytes, reserveBytes);
    }

    /** {@return bytes that the segment occupies, more or less: what is said about reserves is bounded, not checked} */
    long occupiedBytes() {
        try {
            long reserves = Math.min(reserveBytes, Integer.toUnsignedLong(there(true)))
                    + Math.min(reserveBytes, Integer.toUnsignedLong(there(false)));
            return SegmentDescriptor.length(slots, regionBytes) + reserves;
        } catch (InternalError truncated) {
            return 0;
        }
    }

    /** Tells the peer what the names of an end's arenas have in common, {@link #padded}. */
    void arenaNames(boolean ofA, byte[] prefix) {
        mapping.memory().put(SegmentDescriptor.arenaNamesOffset(ofA), prefix);
    }

    /** {@return what the names of an end's arenas have in common, as it has put it; not checked} */
    String arenaNames(boolean ofA) {
        return name(SegmentDescriptor.arenaNamesOffset(ofA));
    }

    /** {@return a name as it stands in the segment} */
    static byte[] padded(String name) {
        return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), SegmentDescriptor.NAME_LENGTH);
    }

    private String name(int offset) {
        byte[] bytes = new byte[SegmentDescriptor.NAME_LENGTH];
        mapping.memory().get(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII).trim();
    }

    /** A segment that no connection of this process uses, and what it occupied when that was so. */
    record Idle(Segment segment, long bytes) {
        static Idle of(Segment segment) {
            return new Idle(segment, segment.occupiedBytes());
        }
    }

    boolean fits(int wantedSlots, int wantedRegionBytes, int wantedReserveBytes) {
        return slots == wantedSlots && regionBytes == wantedRegionBytes && reserveBytes == wantedReserveBytes;
    }
}

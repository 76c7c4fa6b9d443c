package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.ArrivalDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/** A mapped segment and its geometry. Belongs to a connection, or to the pool or cache it waits in. */
public final class Segment {
    private static final int NOT_ACCEPTED = 0;
    private static final int MAPPED = 1;
    private static final int RELEASED = 2;
    private static final int DROPPED = 3;
    /** What a segment counts for until it is measured: more than an idle one has. */
    public static final long USUAL_BYTES = 64 << 10;

    private static final byte[] NO_WINDOW_CLOSED = new byte[SegmentDescriptor.WINDOWS * Integer.BYTES];

    private static final int ACCEPTOR = SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.ACCEPTOR_OFFSET;
    private static final int PAGE = SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.PAGE_OFFSET;

    private final long number;
    private final SharedBudget budget;
    private final SharedMemory mapping;
    private final int slots;
    private final int regionBytes;
    private final int reserveBytes;

    /** What the process of the other end tells of itself; null: not passed, or another user's. Set once. */
    private volatile @Nullable PeerProcess peer;

    @GuardedBy("this")
    private long countedBytes;

    /** @param number no other segment has it, and no process can guess it */
    Segment(long number, SharedBudget budget, SharedMemory mapping, int slots, int regionBytes, int reserveBytes) {
        this.number = number;
        this.budget = budget;
        this.mapping = mapping;
        this.slots = slots;
        this.regionBytes = regionBytes;
        this.reserveBytes = reserveBytes;
    }

    /** Counts it when it has been mapped. */
    void countFirst() {
        count(USUAL_BYTES);
        if (budget.isStrict()) {
            measure();
        }
    }

    private synchronized void count(long bytes) {
        budget.add(bytes - countedBytes);
        countedBytes = bytes;
    }

    /** Counts a reserve that has been taken. */
    public synchronized void countMore(long bytes) {
        count(countedBytes + bytes);
    }

    /** Counts the pages that are there. It must be mapped. */
    public void measure() {
        int length = SegmentDescriptor.length(slots, regionBytes);
        // Of pages that were made and are not touched yet the system does not tell.
        long present = budget.isStrict() ? length : NativeMemory.presentBytes(mapping.memory(), 0, length);
        if (present >= 0) { // If the system does not tell, the count stays.
            count(present + presentOfReserves(true) + presentOfReserves(false));
        }
    }

    private long presentOfReserves(boolean ofA) {
        int used = Math.min(reserveBytes, Math.max(0, there(ofA)));
        if (SegmentDescriptor.secondTaken(taken(ofA)) > 0) {
            used = reserveBytes;
        }
        return used == 0 ? 0 : NativeMemory.presentBytes(mapping.memory(), reserveOffset(ofA, false), used);
    }

    /** {@return whether an end has taken its second reserve, as it says} */
    boolean isLarge() {
        return SegmentDescriptor.secondTaken(taken(true)) > 0 || SegmentDescriptor.secondTaken(taken(false)) > 0;
    }

    /** For the last user. */
    public void unmap() {
        count(0);
        mapping.unmap();
    }

    /** {@return what both processes call it} */
    public long number() {
        return number;
    }

    /** {@return its memory, whose descriptor is open until it has been passed} */
    public SharedMemory mapping() {
        return mapping;
    }

    public Words words() {
        return mapping.words();
    }

    public int slots() {
        return slots;
    }

    public int regionBytes() {
        return regionBytes;
    }

    /** {@return bytes of the reserves of each end; 0: none} */
    public int reserveBytes() {
        return reserveBytes;
    }

    /** {@return the process of the other end; null: not passed, or another user's} */
    public @Nullable PeerProcess peer() {
        return peer;
    }

    /** {@return false if it has one: {@code process} stays the caller's} */
    public synchronized boolean setPeer(PeerProcess process) {
        if (peer != null) {
            return false;
        }
        peer = process;
        return true;
    }

    /** Makes a fresh segment: all that {@link #reset} leaves alone. */
    void format() {
        words().intPlain(SegmentDescriptor.LAYOUT_OFFSET, SegmentDescriptor.LAYOUT);
        words().intPlain(SegmentDescriptor.LENGTH_OFFSET, mapping.memory().capacity());
        words().intPlain(SegmentDescriptor.SLOTS_OFFSET, slots);
        words().intPlain(SegmentDescriptor.REGION_OFFSET, regionBytes);
        words().intPlain(SegmentDescriptor.RESERVE_OFFSET, reserveBytes);
        words().longRelease(SegmentDescriptor.MAGIC_OFFSET, SegmentDescriptor.MAGIC);
    }

    /** {@return whether its maker has {@link #format}ted it like this} */
    public boolean isFormatted() {
        return words().longAcquire(SegmentDescriptor.MAGIC_OFFSET) == SegmentDescriptor.MAGIC
                && words().intPlain(SegmentDescriptor.LAYOUT_OFFSET) == SegmentDescriptor.LAYOUT
                && words().intPlain(SegmentDescriptor.LENGTH_OFFSET)
                        == mapping.memory().capacity()
                && words().intPlain(SegmentDescriptor.SLOTS_OFFSET) == slots
                && words().intPlain(SegmentDescriptor.REGION_OFFSET) == regionBytes
                && words().intPlain(SegmentDescriptor.RESERVE_OFFSET) == reserveBytes;
    }

    /**
     * Makes it ready for a connection; no other thread or process uses it now.
     *
     * @param proof as in the hello of this connection
     */
    public void reset(long proof) {
        resetControl(SegmentDescriptor.CONTROL_A_OFFSET);
        resetControl(SegmentDescriptor.CONTROL_B_OFFSET);
        resetWindows(SegmentDescriptor.windowsOffset(true));
        resetWindows(SegmentDescriptor.windowsOffset(false));
        words().longPlain(SegmentDescriptor.PROOF_OFFSET, proof);
        words().intPlain(SegmentDescriptor.PORT_OFFSET, 0);
        int use = words().intPlain(SegmentDescriptor.USE_OFFSET) + 1;
        if (use > ArrivalDescriptor.MAX_USE) {
            emptySlots();
            use = 1;
        }
        words().intPlain(SegmentDescriptor.USE_OFFSET, use);
    }

    private void emptySlots() {
        int end = SegmentDescriptor.ARRIVALS_OFFSET + 2 * slots * ArrivalDescriptor.LENGTH;
        for (int slot = SegmentDescriptor.ARRIVALS_OFFSET; slot < end; slot += ArrivalDescriptor.LENGTH) {
            words().longPlain(slot + ArrivalDescriptor.HEADER_OFFSET, 0);
        }
    }

    private void resetWindows(int windows) {
        words().intPlain(windows + SegmentDescriptor.WITHIN_OFFSET, 0);
        // In one call: until it is compiled, a loop over 32 words takes as long as a system call.
        mapping.memory().put(windows + SegmentDescriptor.CLOSED_OFFSET, NO_WINDOW_CLOSED);
    }

    private void resetControl(int control) {
        words().intPlain(control + SegmentDescriptor.ARMED_OFFSET, 0);
        words().intPlain(control + SegmentDescriptor.ASLEEP_OFFSET, 0);
        words().longPlain(control + SegmentDescriptor.SIGN_OFFSET, 0);
        // The receives of both ends are there from the start, so that neither end waits for them.
        words().longPlain(control + SegmentDescriptor.POSTED_OFFSET, slots);
        words().intPlain(control + SegmentDescriptor.REASON_OFFSET, 0);
        words().intPlain(control + SegmentDescriptor.ACCEPTOR_OFFSET, NOT_ACCEPTED);
        words().intPlain(control + SegmentDescriptor.TAKEN_OFFSET, 0);
        words().intPlain(control + SegmentDescriptor.PAGE_OFFSET, 0);
    }

    // The accepting end.

    /**
     * Tells the connecting end that the accepting one has mapped it.
     *
     * @param page of the listener; null if it has none
     * @return false if the connecting end has given up
     */
    public boolean setMappedByB(@Nullable ListenerPage page) {
        words().intPlain(PAGE, page == null ? 0 : page.number() + 1);
        return words().intCompareAndExchange(ACCEPTOR, NOT_ACCEPTED, MAPPED) == NOT_ACCEPTED;
    }

    /** Tells the connecting end that the accepting one does not touch the memory until a hello names it again. */
    void setReleasedByB() {
        words().intRelease(ACCEPTOR, RELEASED);
    }

    /** {@return whether the accepting end may unmap it: the connecting one will not name it any more} */
    boolean dropByB() {
        return words().intCompareAndExchange(ACCEPTOR, RELEASED, DROPPED) == RELEASED;
    }

    // The connecting end.

    /** {@return whether the accepting end has mapped the segment} */
    public boolean isMappedByB() {
        return words().intAcquire(ACCEPTOR) != NOT_ACCEPTED;
    }

    /** {@return whether the accepting end, which has let go, still has it mapped, and keeps it for the next one} */
    boolean claimByA() {
        return words().intCompareAndExchange(ACCEPTOR, RELEASED, NOT_ACCEPTED) == RELEASED;
    }

    /** {@return whether the connecting end has given up before the accepting one has mapped it} */
    public boolean giveUpByA() {
        return words().intCompareAndExchange(ACCEPTOR, NOT_ACCEPTED, DROPPED) == NOT_ACCEPTED;
    }

    /** There is no connection after all: the accepting end need not keep it. */
    void unclaimByA() {
        words().intRelease(ACCEPTOR, RELEASED);
    }

    /** {@return the number of the listener's page, as the accepting end says: not checked; −1: none} */
    public int page() {
        return words().intPlain(PAGE) - 1;
    }

    /** {@return what the connecting end wrote for this connection} */
    public long proof() {
        return words().longPlain(SegmentDescriptor.PROOF_OFFSET);
    }

    /** Sets how many bytes of its reserves an end has taken, as in {@link SegmentDescriptor}. */
    public void taken(boolean ofA, int bytes) {
        words().intPlain(SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.TAKEN_OFFSET, bytes);
    }

    /** {@return bytes of its reserves that an end has taken, as it says; not checked} */
    public int taken(boolean ofA) {
        return words().intPlain(SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.TAKEN_OFFSET);
    }

    /** Sets how many bytes of its reserve an end has used. */
    public void there(boolean ofA, int bytes) {
        words().intPlain(SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.THERE_OFFSET, bytes);
    }

    /** {@return bytes of its reserve that an end has used, as stored; not checked} */
    public int there(boolean ofA) {
        return words().intPlain(SegmentDescriptor.controlOffset(ofA) + SegmentDescriptor.THERE_OFFSET);
    }

    /** Makes the pages of the reserve that an end writes to. {@return whether there is memory for them} */
    public boolean allocateReserve(boolean ofA, int bytes) {
        return mapping.allocate(reserveOffset(ofA, false), bytes);
    }

    /** {@return a reserve that an end writes to, the first or the second, from its beginning} */
    public ByteBuffer reserve(boolean ofA, boolean second, int bytes) {
        return mapping.slice(reserveOffset(ofA, second), bytes);
    }

    /** {@return where a reserve that an end writes to begins} */
    public int reserveOffset(boolean ofA, boolean second) {
        int begin = SegmentDescriptor.reserveOffset(ofA, slots, regionBytes, reserveBytes);
        return second ? begin + reserveBytes / 2 : begin;
    }

    /** {@return about the bytes that the segment occupies: the stored sizes of reserves are bounded, not checked} */
    public long occupiedBytes() {
        long reserves = Math.min(reserveBytes, Integer.toUnsignedLong(there(true)))
                + Math.min(reserveBytes, Integer.toUnsignedLong(there(false)));
        return SegmentDescriptor.length(slots, regionBytes) + reserves;
    }

    /** A segment that no connection of this process uses, what it occupied when that began, and when. */
    record Idle(Segment segment, long bytes, long sinceNs) {
        static Idle of(Segment segment) {
            return new Idle(segment, segment.occupiedBytes(), System.nanoTime());
        }
    }

    boolean fits(int wantedSlots, int wantedRegionBytes, int wantedReserveBytes) {
        return slots == wantedSlots && regionBytes == wantedRegionBytes && reserveBytes == wantedReserveBytes;
    }
}

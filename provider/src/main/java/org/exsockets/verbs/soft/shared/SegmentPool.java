package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The segments a process has created as connecting end. A new one costs system calls and pages at both ends. So one
 * that both ends have let go of is used for the next connection to the same process, which still has it mapped.
 *
 * <p>The acceptor may still be to read what was sent, as over TCP, even if it has not accepted yet: it has the segment
 * mapped, or gets its descriptor with the hello, whatever becomes of this end. Thread-safe.
 */
public final class SegmentPool {
    private static final int MAX_IDLE = 16;
    private static final long MAX_IDLE_BYTES = 32L << 20;

    private final SharedBudget budget;
    private final OwnProcess own;
    private final PeerMappings<PeerProcess.Name, PeerProcess> processes;

    /** Released by this end, mapped by the process that they were made for; most recent first. */
    @GuardedBy("this")
    private final ArrayDeque<Segment.Idle> idle = new ArrayDeque<>();

    @GuardedBy("this")
    private long idleBytes;

    public SegmentPool(SharedBudget budget, OwnProcess own, PeerMappings<PeerProcess.Name, PeerProcess> processes) {
        this.budget = budget;
        this.own = own;
        this.processes = processes;
    }

    /**
     * {@return a segment ready for a connection; a new one has a descriptor, to be passed to the peer}
     *
     * @param peer the process that should have it mapped already; null: a new segment
     * @throws IOException if a new one cannot be made: a {@link SystemFailure} if the system refuses
     */
    public Segment acquire(EndpointParameters parameters, @Nullable PeerProcess peer) throws IOException {
        Segment segment = peer == null ? null : claimIdle(parameters, peer);
        if (segment == null) {
            segment = create(parameters);
        }
        segment.reset(own.newNumber());
        return segment;
    }

    private synchronized @Nullable Segment claimIdle(EndpointParameters parameters, PeerProcess peer) {
        for (Iterator<Segment.Idle> candidates = idle.iterator(); candidates.hasNext(); ) {
            Segment.Idle candidate = candidates.next();
            Segment segment = candidate.segment();
            if (segment.peer() == peer
                    && segment.fits(parameters.receiveDepth(), parameters.exposedBytes(), reserveBytes(parameters))
                    && segment.claimByA()) {
                candidates.remove();
                idleBytes -= candidate.bytes();
                return segment;
            }
        }
        return null;
    }

    private Segment create(EndpointParameters parameters) throws IOException {
        int slots = parameters.receiveDepth();
        int region = parameters.exposedBytes();
        int reserve = reserveBytes(parameters);
        int length = SegmentDescriptor.length(slots, region);
        budget.requireSegment(length);
        SharedMemory memory =
                SharedMemory.create(SegmentDescriptor.length(slots, region, reserve), budget.isStrict() ? length : 0);
        try {
            Segment segment = new Segment(own.newNumber(), budget, memory, slots, region, reserve);
            segment.format();
            segment.countFirst();
            return segment;
        } catch (OutOfMemoryError e) {
            memory.unmap();
            throw e;
        }
    }

    private int reserveBytes(EndpointParameters parameters) {
        int first = parameters.maxExposedBytes();
        return first > parameters.exposedBytes() ? Math.max(first, 2 * budget.secondReserveBytes(first)) : 0;
    }

    /** Takes back a segment for which there is no connection after all: the peer has not been told of it. */
    public void giveBack(Segment segment) {
        segment.unclaimByA();
        discard(addIdleAndTrim(segment));
    }

    /** Takes back a segment that this end does not use any more; the other end may. */
    public void release(Segment segment, Doorbell doorbell) {
        doorbell.close();
        discard(addIdleAndTrim(segment));
    }

    /** {@return a segment to discard: one too many, or of no more use; null: none} */
    private @Nullable Segment addIdleAndTrim(Segment segment) {
        PeerProcess peer = segment.peer();
        if (peer == null || !peer.isSeen() || segment.isLarge()) {
            return segment; // It is unknown which process has it mapped, or it has too much memory to be kept.
        }
        Segment.Idle added = Segment.Idle.of(segment);
        synchronized (this) {
            idle.addFirst(added);
            idleBytes += added.bytes();
            if (idle.size() <= MAX_IDLE && idleBytes <= MAX_IDLE_BYTES) {
                return null;
            }
            Segment.Idle surplus = idle.removeLast();
            idleBytes -= surplus.bytes();
            return surplus.segment();
        }
    }

    /** Gives up a segment instead of keeping it; null: nothing to do. */
    public void discard(@Nullable Segment segment) {
        if (segment != null) {
            segment.unmap();
            processes.release(segment.peer());
        }
    }

    /** Gives up all segments that no connection uses. */
    public void dropIdle() {
        List<Segment.Idle> all;
        synchronized (this) {
            all = List.copyOf(idle);
            idle.clear();
            idleBytes = 0;
        }
        for (Segment.Idle each : all) {
            discard(each.segment());
        }
    }

    /** {@return segments that wait for their next connection} */
    public synchronized int idle() {
        return idle.size();
    }
}

package org.exsockets.verbs.soft.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The segments of other processes that this one has mapped as accepting end and that no connection uses now, by number:
 * a client that names one again finds it mapped.
 *
 * <p>A segment unused for {@link #MAX_AGE_NS}, or one too many, is dropped when another one is released: its client may
 * have ended. Segments that a client has claimed for its next connection stay, up to {@link #MAX_CLAIMED}. Thread-safe.
 */
public class SegmentCache {
    private static final int MAX_ENTRIES = 32;
    private static final long MAX_BYTES = 32L << 20;
    private static final int MAX_CLAIMED = 256;
    private static final long MAX_AGE_NS = 10_000_000_000L;

    public final PeerMappings<PeerProcess.Name, PeerProcess> processes;
    private final SharedBudget budget;

    /** Oldest first. */
    @GuardedBy("this")
    private final LinkedHashMap<Long, Segment.Idle> idle = new LinkedHashMap<>();

    @GuardedBy("this")
    private long idleBytes;

    public SegmentCache(PeerMappings<PeerProcess.Name, PeerProcess> processes, SharedBudget budget) {
        this.processes = processes;
        this.budget = budget;
    }

    /**
     * {@return the segment a client has named, if it is mapped and that client's to use; null if not}
     * Numbers alone are not believed: another process may know them.
     *
     * @param processId of the client, as the kernel says
     */
    public synchronized @Nullable Segment acquire(HelloDescriptor.Hello hello, int processId) {
        Segment.Idle known = idle.get(hello.segment());
        PeerProcess owner = known == null ? null : known.segment().peer();
        if (known == null
                || owner == null
                || !owner.is(processId)
                || !known.segment().fits(hello.slots(), hello.regionBytes(), hello.reserveBytes())
                || known.segment().proof() != hello.proof()) {
            return null;
        }
        idle.remove(hello.segment());
        idleBytes -= known.bytes();
        return known.segment();
    }

    /**
     * Maps a segment for the first time and, if {@code sharesProcess}, the client's process. Both descriptors stay the
     * caller's.
     *
     * @param processId of the client, as the kernel says
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be mapped now
     * @throws IOException if the segment or the process is not as the hello says
     */
    public Segment map(HelloDescriptor.Hello hello, int processId, int descriptor, int process, boolean sharesProcess)
            throws IOException {
        int length = SegmentDescriptor.length(hello.slots(), hello.regionBytes(), hello.reserveBytes());
        SharedMemory memory = SharedMemory.map(descriptor, length, "segment");
        Segment segment =
                new Segment(hello.segment(), budget, memory, hello.slots(), hello.regionBytes(), hello.reserveBytes());
        segment.countFirst();
        try {
            if (budget.isStrict()) { // The client's may have done without, and where there is no page is a SIGBUS.
                int own = SegmentDescriptor.length(hello.slots(), hello.regionBytes());
                if (NativeMemory.allocate(descriptor, 0, own) < 0) {
                    throw SystemFailure.of(-SystemFailure.NO_MEMORY);
                }
            }
            if (sharesProcess) {
                PeerProcess known = processes.find(new PeerProcess.Name(processId, hello.token()));
                PeerProcess peer = known != null ? known : processes.keep(PeerProcess.open(processId, process));
                segment.setPeer(peer);
                if (peer.name().token() != hello.token()) {
                    throw new IOException("process of the peer: another one than its hello says");
                }
            }
            return segment;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            drop(segment);
            throw e;
        }
    }

    /** Takes back a segment of which this end is the last user, and tells the client so. */
    public void release(Segment segment) {
        PeerProcess owner = segment.peer();
        if (owner == null || !owner.isSeen()) {
            segment.setReleasedByB();
            drop(segment); // An unknown client comes with a new segment.
            return;
        }
        Segment.Idle kept = Segment.Idle.of(segment);
        List<Segment> surplus = new ArrayList<>(0);
        synchronized (this) {
            // From here on the client may name the segment again: acquire then waits for this monitor, and finds it.
            segment.setReleasedByB();
            if (segment.isLarge() && segment.dropByB()) {
                surplus.add(segment);
            } else if (idle.putIfAbsent(segment.number(), kept) == null) {
                idleBytes += kept.bytes();
            } else { // A client has passed a segment that was in use, or one with the number of another.
                surplus.add(segment);
            }
            trim(kept.sinceNs(), surplus);
        }
        for (Segment each : surplus) {
            drop(each);
        }
    }

    /** Gives up all segments that no connection uses and no client has claimed. */
    public void dropIdle() {
        List<Segment> surplus = new ArrayList<>(0);
        synchronized (this) {
            trim(System.nanoTime() + MAX_AGE_NS, surplus);
        }
        for (Segment each : surplus) {
            drop(each);
        }
    }

    @GuardedBy("this")
    private void trim(long nowNs, List<Segment> surplus) {
        for (Iterator<Segment.Idle> oldest = idle.values().iterator(); oldest.hasNext(); ) {
            Segment.Idle each = oldest.next();
            boolean tooMuch = idle.size() > MAX_ENTRIES || idleBytes > MAX_BYTES && idle.size() > 1;
            if (!tooMuch && nowNs - each.sinceNs() < MAX_AGE_NS) {
                return;
            }
            if (each.segment().dropByB() || idle.size() > MAX_CLAIMED) {
                oldest.remove();
                idleBytes -= each.bytes();
                surplus.add(each.segment());
            }
        }
    }

    /** Unmaps a segment that no connection uses. */
    public void drop(Segment segment) {
        segment.unmap();
        processes.release(segment.peer());
    }
}

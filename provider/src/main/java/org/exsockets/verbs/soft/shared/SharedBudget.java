package org.exsockets.verbs.soft.shared;

import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.MachineMemory;

/**
 * How much memory this process shares with its peers, and how much it may ({@code exs.memory}). Thread-safe.
 *
 * <p>A segment counts as {@link Segment#USUAL_BYTES} when it is mapped, and as the pages that are there at each look; a
 * reserve when it is taken; an arena as what the program has allocated in it. With strict overcommit a segment has all
 * its pages, and counts for them, from the start. Both ends of a connection count its
 * segment. Between two looks existing connections may exceed the limit: none is ended or delayed for that.
 */
public final class SharedBudget {
    /** {@link DeviceOptions#AUTO}: one part in so many of what the machine, or the group, has. */
    private static final int USUAL_DIVISOR = 4;

    /** Who sets {@code exs.buffer} to less than it usually is wants less memory. */
    private static final int MIN_FIRST_BYTES = 4 << 20;

    /** Two of them are the longest reserve. */
    private static final int MAX_SECOND_BYTES = EndpointParameters.MAX_EXPOSED_BYTES / 2;

    private final MachineMemory machine;

    /** {@link DeviceOptions#AUTO} until it is asked for. */
    private volatile long limitBytes;

    private final AtomicLong sharedBytes = new AtomicLong();

    /** @param limitBytes 0 to share nothing, {@link DeviceOptions#AUTO} for a quarter of the memory */
    public SharedBudget(MachineMemory machine, long limitBytes) {
        this.machine = machine;
        this.limitBytes = limitBytes;
    }

    /**
     * {@return bytes of the second reserve of a connection whose first one has {@code firstBytes}, a power of two: a
     * writer is then as far ahead as TCP's tuning would let it; 0: none} With strict overcommit its pages would stay.
     */
    public int secondReserveBytes(int firstBytes) {
        long more = isStrict() || firstBytes < MIN_FIRST_BYTES ? 0 : machine.tcpBytes() - firstBytes;
        int second = 2 * firstBytes;
        while (second < more && second < MAX_SECOND_BYTES) {
            second *= 2;
        }
        return more > 0 && second <= MAX_SECOND_BYTES ? second : 0;
    }

    /** Counts memory that is shared from now on; negative: no longer shared. */
    public void add(long bytes) {
        sharedBytes.addAndGet(bytes);
    }

    public long sharedBytes() {
        return sharedBytes.get();
    }

    public long limitBytes() {
        long limit = limitBytes;
        if (limit == DeviceOptions.AUTO) {
            limit = machine.totalBytes() / USUAL_DIVISOR;
            limitBytes = limit;
        }
        return limit;
    }

    /** {@return whether pages are to be made when memory is taken, and kept: {@link MachineMemory}} */
    public boolean isStrict() {
        return machine.isStrict();
    }

    /** {@return whether the limit allows {@code bytes} more} */
    public boolean allows(long bytes) {
        return bytes <= limitBytes() - sharedBytes.get();
    }

    /** {@return whether {@code bytes} more may be taken: the limit allows them, and there is memory} */
    public boolean hasRoomFor(long bytes) {
        return allows(bytes) && machine.hasRoomFor(bytes);
    }

    /**
     * @param lengthBytes what it may grow to without another check
     * @throws ConnectFailure if there is no room; {@link Kind#MEMORY_LIMIT} or {@link Kind#NO_MEMORY}
     */
    void requireSegment(long lengthBytes) throws ConnectFailure {
        if (!allows(isStrict() ? lengthBytes : Segment.USUAL_BYTES)) {
            throw new ConnectFailure(Kind.MEMORY_LIMIT, "no segment: " + this);
        }
        if (!machine.hasRoomFor(lengthBytes)) {
            throw new ConnectFailure(Kind.NO_MEMORY, "no segment: memory is scarce");
        }
    }

    @Override
    public String toString() {
        return "bytes shared=" + sharedBytes + ", exs.memory=" + limitBytes();
    }
}

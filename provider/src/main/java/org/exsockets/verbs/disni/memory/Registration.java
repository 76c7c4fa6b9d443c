package org.exsockets.verbs.disni.memory;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.disni.Verbs;
import org.jspecify.annotations.Nullable;

/**
 * A range of the program's memory that is registered with an adapter. Made and dropped by a {@link RegistrationCache};
 * used by any thread.
 *
 * <p>{@link #uses} counts the users of a registration. At 0 it may be dropped, which makes the count negative for good.
 * Both steps are compare-and-set, so if one thread takes it and another drops it, exactly one succeeds.
 */
public final class Registration implements ProgramMemory {
    private static final int DROPPED = Integer.MIN_VALUE / 2;
    final long start;

    /** Native address behind the last byte. */
    final long end;

    final RegionRegistrar.Region region;

    /** The host whose peers may know the key; null until one does. Set once, under the cache's lock. */
    private volatile @Nullable InetAddress host;

    /** Whether a user may keep it for longer than a call. Never unset: after that its release is not relied on. */
    private volatile boolean held;

    private volatile int uses;

    /** When it was last taken. Racy: any recent value is good enough to choose what to drop. */
    private volatile long lastUseNs;

    private static final AtomicIntegerFieldUpdater<Registration> USES =
            AtomicIntegerFieldUpdater.newUpdater(Registration.class, "uses");

    Registration(long start, long end, RegionRegistrar.Region region, long nowNs) {
        this.start = start;
        this.end = end;
        this.region = region;
        this.lastUseNs = nowNs;
    }

    /** Takes it, unless it has been dropped; {@link #release} gives it back. {@return whether it was taken} */
    boolean tryTake(long nowNs) {
        int now;
        do {
            now = uses;
            if (now < 0) {
                return false;
            }
        } while (!USES.compareAndSet(this, now, now + 1));
        lastUseNs = nowNs;
        return true;
    }

    /** {@return the host whose peers may know the key; null if none does} */
    @Nullable
    InetAddress host() {
        return host;
    }

    void tell(InetAddress peerHost) {
        host = peerHost;
    }

    void hold() {
        held = true;
    }

    boolean isHeld() {
        return held;
    }

    /** Drops it, unless it is in use. {@return whether the caller must now deregister it} */
    boolean tryDrop() {
        return USES.compareAndSet(this, 0, DROPPED);
    }

    /** As {@link #tryDrop}, even if it is in use. {@return false if it had been dropped before} */
    boolean drop() {
        int now;
        do {
            now = uses;
            if (now < 0) {
                return false;
            }
        } while (!USES.compareAndSet(this, now, now + DROPPED));
        return true;
    }

    boolean inUse() {
        return uses > 0;
    }

    boolean isIdle() {
        return uses == 0;
    }

    boolean isDropped() {
        return uses < 0;
    }

    @Override
    public void release() {
        int before = USES.getAndDecrement(this);
        if (before == 0 || before == DROPPED) {
            USES.getAndIncrement(this);
            throw new IllegalStateException("registration: released more often than taken: " + this);
        }
    }

    long lastUseNs() {
        return lastUseNs;
    }

    /** {@return the key for requests of this end} */
    public int localKey() {
        return region.localKey();
    }

    /** {@return whether it covers all of the {@code length} bytes at {@code address}} */
    public boolean covers(long address, int length) {
        return address >= start && address + length <= end;
    }

    @Override
    public int advertisable(ByteBuffer memory, int offset, int length) {
        return covered(remoteAddress(memory, offset), length);
    }

    /** {@return how many of the {@code length} bytes at {@code address} it covers, from the first on} */
    int covered(long address, int length) {
        return address < start || address >= end ? 0 : (int) Math.min(length, end - address);
    }

    @Override
    public long remoteAddress(ByteBuffer memory, int offset) {
        return Verbs.address(memory) + offset;
    }

    @Override
    public int rkey() {
        return region.remoteKey();
    }

    @Override
    public String toString() {
        return "address=0x" + Long.toHexString(start) + ", length=" + (end - start);
    }
}

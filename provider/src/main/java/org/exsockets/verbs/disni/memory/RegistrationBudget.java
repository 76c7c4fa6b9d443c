package org.exsockets.verbs.disni.memory;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;

/**
 * Bounds how much of the program's memory is registered with all adapters together: connections need locked memory,
 * too. Counts as the kernel does: whole pages, those of overlapping registrations once for each. Thread-safe.
 *
 * <p>If the kernel refuses before the bound is reached, connections of this process or other processes of the user have
 * locked more than was left for them. Then nothing is registered for a while, so that calls do not meet the limit again
 * and again.
 */
public final class RegistrationBudget {
    static final int PAGE_BYTES = LockedMemory.pageBytes(Path.of("/"));

    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Divisor of RLIMIT_MEMLOCK, which the buffers of connections share. */
    private static final int SHARE_OF_LIMIT = 2;

    /** Divisor of the machine's memory: registered memory cannot be swapped out or moved. */
    private static final int SHARE_OF_MEMORY = 4;

    private final long maxBytes;
    private final LongSupplier clockNs;
    private final AtomicLong registered = new AtomicLong();

    /** When registering may be tried again; read and written without a lock: one more attempt does no harm. */
    private volatile long pausedUntilNs;

    private volatile boolean paused;
    private volatile boolean told;

    /** @param clockNs tells nanoseconds of any beginning, as {@link System#nanoTime} */
    public RegistrationBudget(long maxBytes, LongSupplier clockNs) {
        this.maxBytes = maxBytes;
        this.clockNs = clockNs;
    }

    /**
     * {@return the bound if the user has set none}
     *
     * @param root of the file system: the real one, except in tests
     */
    public static long automaticBytes(Path root) {
        return Math.min(
                LockedMemory.limitBytes(root) / SHARE_OF_LIMIT, LockedMemory.physicalBytes(root) / SHARE_OF_MEMORY);
    }

    /** {@return what the kernel counts for a registration of the bytes from {@code start} to below {@code end}} */
    static long pageBytes(long start, long end) {
        return pageBytes(start, end, PAGE_BYTES);
    }

    /** As the other one, on a machine with pages of {@code page} bytes. */
    static long pageBytes(long start, long end, int page) {
        return (end + page - 1 & -page) - (start & -page);
    }

    /** {@return the bound; 0 if nothing may be registered} */
    public long maxBytes() {
        return maxBytes;
    }

    long registeredBytes() {
        return registered.get();
    }

    /** {@return whether {@code bytes} more may be registered; then they count as registered} */
    boolean tryReserve(long bytes) {
        long now;
        do {
            now = registered.get();
            if (bytes > maxBytes - now) {
                return false;
            }
        } while (!registered.compareAndSet(now, now + bytes));
        return true;
    }

    void giveBack(long bytes) {
        registered.addAndGet(-bytes);
    }

    /** {@return whether the kernel has refused within the last second} */
    boolean isPaused() {
        if (paused && clockNs.getAsLong() - pausedUntilNs >= 0) {
            paused = false;
        }
        return paused;
    }

    /** The bound is reached, and everything registered is in use; or {@code bytes} exceed the bound. */
    void onFull(long bytes) {
        refused(bytes, "the bound is reached");
    }

    /** The kernel's limit is reached. */
    void onRefused(long bytes, String cause) {
        pausedUntilNs = clockNs.getAsLong() + PAUSE_NS;
        paused = true;
        refused(bytes, cause);
    }

    private void refused(long bytes, String cause) {
        Statistics.jvm().registrationRefused();
        if (!told) {
            told = true;
            Log.warn("direct transfers: memory of the program cannot be registered, its bytes are copied: " + cause
                    + ": bytes=" + bytes + ", registered=" + registered + ", bound=" + maxBytes
                    + "; raise the limit of locked memory (ulimit -l) or exs.register, or set a smaller exs.buffer");
        }
    }
}

package org.exsockets.verbs.disni.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.exsockets.verbs.disni.VerbsException;
import org.jspecify.annotations.Nullable;

/** Keeps registered memory from one connection to the next: registering costs more than connecting. Thread-safe. */
public final class MemoryPool {
    private static final long MAX_IDLE_BYTES = 64L << 20;

    private final IbvPd domain;
    private final BooleanSupplier relief;

    /** The most recently used first. */
    @GuardedBy("this")
    private final ArrayDeque<PooledMemory> idle = new ArrayDeque<>();

    @GuardedBy("this")
    private long idleBytes;

    @GuardedBy("this")
    private boolean closed;

    /** @param relief frees locked memory that is kept without use, and returns whether there was any */
    public MemoryPool(IbvPd domain, BooleanSupplier relief) {
        this.domain = domain;
        this.relief = relief;
    }

    /** {@return memory for a connection with {@code host}} Throws if none is to be had, even from idle memory. */
    public ConnectionMemory acquire(InetAddress host, ConnectionSizes sizes) throws IOException {
        ConnectionMemory memory = takeIdle(ConnectionMemory.class, candidate -> candidate.fits(host, sizes));
        if (memory == null) {
            memory = relieved(() -> new ConnectionMemory(domain, host, sizes));
        }
        memory.clearFarewell();
        return memory;
    }

    /** Makes something of an adapter. */
    public interface Making<T> {
        T make() throws IOException;
    }

    /**
     * {@return what {@code making} makes} If something is lacking, it is tried once more without what is kept unused; a
     * size that the adapter does not take is none the better for that.
     */
    public <T> T relieved(Making<T> making) throws IOException {
        try {
            return making.make();
        } catch (IOException e) {
            // A connection is worth more than the next one, and than the next direct transfer.
            if (VerbsException.isRefusal(e) || !(freeIdle() | relief.getAsBoolean())) {
                throw e;
            }
            return making.make();
        }
    }

    /**
     * {@return a region for a connection with {@code host} to expose} Idle memory stays: new connections need it more.
     */
    RegionMemory acquireRegion(InetAddress host, int lengthBytes) throws IOException {
        RegionMemory region = takeIdle(RegionMemory.class, candidate -> candidate.fits(host, lengthBytes));
        return region != null ? region : new RegionMemory(domain, host, lengthBytes);
    }

    private synchronized <T extends PooledMemory> @Nullable T takeIdle(Class<T> type, Predicate<T> fits) {
        for (Iterator<PooledMemory> each = idle.iterator(); each.hasNext(); ) {
            PooledMemory memory = each.next();
            if (type.isInstance(memory) && fits.test(type.cast(memory))) {
                each.remove();
                idleBytes -= memory.length();
                return type.cast(memory);
            }
        }
        return null;
    }

    /** Takes back memory that no queue pair and no peer uses any more. */
    public void release(PooledMemory memory) {
        List<PooledMemory> surplus = new ArrayList<>(0);
        synchronized (this) {
            if (closed) {
                surplus.add(memory);
            } else {
                idle.push(memory);
                idleBytes += memory.length();
                while (idleBytes > MAX_IDLE_BYTES) {
                    PooledMemory oldest = idle.removeLast();
                    idleBytes -= oldest.length();
                    surplus.add(oldest);
                }
            }
        }
        surplus.forEach(PooledMemory::free);
    }

    private synchronized boolean freeIdle() {
        boolean any = !idle.isEmpty();
        for (PooledMemory memory; (memory = idle.poll()) != null; ) {
            memory.free();
        }
        idleBytes = 0;
        return any;
    }

    /** Frees idle memory, now and when more is released. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        freeIdle();
    }
}

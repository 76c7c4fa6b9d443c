package org.exsockets.verbs.disni;

import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Iterator;

/** Registered memory between two connections: registering costs more than connecting. Thread-safe. */
final class MemoryPool {
    private static final long MAX_IDLE_BYTES = 64L << 20;

    private final IbvPd domain;

    /** The most recently used first; guarded by this object's monitor, as the fields below. */
    private final ArrayDeque<ConnectionMemory> idle = new ArrayDeque<>();

    private long idleBytes;
    private boolean closed;

    MemoryPool(IbvPd domain) {
        this.domain = domain;
    }

    /**
     * {@return memory for a connection with {@code host}}
     *
     * @throws IOException if none can be registered, even after idle memory was given up
     */
    ConnectionMemory acquire(InetAddress host, int exposedBytes, int receiveDepth) throws IOException {
        ConnectionMemory memory = takeIdle(host, exposedBytes, receiveDepth);
        if (memory == null) {
            memory = register(host, exposedBytes, receiveDepth);
        }
        memory.clearFarewell();
        return memory;
    }

    private ConnectionMemory register(InetAddress host, int exposedBytes, int receiveDepth) throws IOException {
        try {
            return new ConnectionMemory(domain, host, exposedBytes, receiveDepth);
        } catch (IOException e) {
            if (!freeIdle()) {
                throw e;
            }
            return new ConnectionMemory(domain, host, exposedBytes, receiveDepth);
        }
    }

    private synchronized ConnectionMemory takeIdle(InetAddress host, int exposedBytes, int receiveDepth) {
        for (Iterator<ConnectionMemory> each = idle.iterator(); each.hasNext(); ) {
            ConnectionMemory memory = each.next();
            if (memory.fits(host, exposedBytes, receiveDepth)) {
                each.remove();
                idleBytes -= memory.length();
                return memory;
            }
        }
        return null;
    }

    /** Takes back memory that no queue pair uses any more. */
    void release(ConnectionMemory memory) {
        ConnectionMemory surplus = null;
        synchronized (this) {
            if (closed) {
                surplus = memory;
            } else {
                idle.push(memory);
                idleBytes += memory.length();
                if (idleBytes > MAX_IDLE_BYTES) {
                    surplus = idle.removeLast();
                    idleBytes -= surplus.length();
                }
            }
        }
        if (surplus != null) {
            surplus.free();
        }
    }

    /** {@return whether there was any} */
    private synchronized boolean freeIdle() {
        boolean any = !idle.isEmpty();
        for (ConnectionMemory memory; (memory = idle.poll()) != null; ) {
            memory.free();
        }
        idleBytes = 0;
        return any;
    }

    /** Frees what is idle, now and later. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        freeIdle();
    }
}

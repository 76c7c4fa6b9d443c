package org.exsockets.es.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.exsockets.api.ExsMemory;
import org.exsockets.jdk.BufferSessions;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.ProgramAllocator;
import org.jspecify.annotations.Nullable;

/** Memory that operations may use. Operations hold views of it, which are reused. Thread-safe. */
public final class RegisteredMemory implements ExsMemory {
    private static final int MAX_FREE_VIEWS = 64;
    private static final int MAX_BYTES = Integer.MAX_VALUE - 2 * PAGE_BYTES;

    private final ByteBuffer memory;

    /** The arena, held by {@link BufferSessions} until this is closed; null if there is none. */
    private final @Nullable Object held;

    @GuardedBy("this")
    private final ArrayDeque<ByteBuffer> freeViews = new ArrayDeque<>();

    @GuardedBy("this")
    private int users;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param memory with position 0 and its capacity as limit
     * @throws IllegalStateException if its arena is closed, or confined to a thread
     */
    public RegisteredMemory(ByteBuffer memory) {
        this.memory = memory;
        try {
            this.held = BufferSessions.acquire(memory, true);
        } catch (IllegalArgumentException confined) { // So from JDK 26 on.
            throw new IllegalStateException(confined.getMessage(), confined);
        }
    }

    /** As {@link ExsMemory#allocate}. */
    public static RegisteredMemory allocate(int lengthBytes) throws IOException {
        if (lengthBytes < 1 || lengthBytes > MAX_BYTES) {
            throw new IllegalArgumentException("allocate: out of range: length=" + lengthBytes);
        }
        return new RegisteredMemory(shared(lengthBytes));
    }

    /** {@return page-aligned memory, which peers can write to if possible} */
    private static ByteBuffer shared(int lengthBytes) throws IOException {
        ProgramAllocator allocator = Rendezvous.get().programAllocator();
        if (allocator != null) {
            try {
                return allocator.allocate(lengthBytes);
            } catch (IOException e) {
                Log.warnOnce(
                        "es-memory",
                        "ExsMemory.allocate: memory that peers cannot write to straight: length=" + lengthBytes + ": "
                                + e.getMessage());
            }
        }
        try {
            int pages = (lengthBytes + PAGE_BYTES - 1) & -PAGE_BYTES;
            return ByteBuffer.allocateDirect(pages + PAGE_BYTES)
                    .alignedSlice(PAGE_BYTES)
                    .slice(0, lengthBytes);
        } catch (OutOfMemoryError e) {
            throw new IOException("allocate: no memory: length=" + lengthBytes + ": " + e.getMessage(), e);
        }
    }

    /** {@return the same memory} @throws IllegalArgumentException if it is not from {@link ExsMemory} */
    public static RegisteredMemory of(ExsMemory memory) {
        if (memory instanceof RegisteredMemory ours) {
            return ours;
        }
        throw new IllegalArgumentException("not memory of this API: " + memory);
    }

    /** @throws IndexOutOfBoundsException if that range is not in the memory */
    public void check(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, memory.capacity());
    }

    /** {@return a view for one operation, which holds the memory until {@link #letGo}} */
    public synchronized ByteBuffer hold() {
        if (closed) {
            throw new IllegalStateException("memory: closed");
        }
        users++;
        ByteBuffer view = freeViews.poll();
        return view == null ? memory.duplicate() : view;
    }

    /** Takes back {@link #hold}. */
    public synchronized void letGo(ByteBuffer view) {
        users--;
        if (freeViews.size() < MAX_FREE_VIEWS) {
            freeViews.push(view);
        }
    }

    @Override
    public ByteBuffer buffer() {
        return memory.duplicate();
    }

    @Override
    public int length() {
        return memory.capacity();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (users > 0) {
            throw new IllegalStateException("memory: operations and exports still use it: count=" + users);
        }
        closed = true;
        freeViews.clear();
        BufferSessions.release(held);
    }
}

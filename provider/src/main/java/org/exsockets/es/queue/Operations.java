package org.exsockets.es.queue;

import java.io.IOException;
import java.util.ArrayDeque;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.jspecify.annotations.Nullable;

/**
 * Makes a socket's operations and takes them back, so that a busy socket allocates none. Guarded by the socket's lock.
 */
public final class Operations {
    /** More are left to the garbage collector, so that a burst is not kept for ever. */
    private static final int MAX_FREE = 256;

    /** Null: a listener. */
    private final @Nullable ExsSocket socket;

    private final ArrayDeque<Operation> free = new ArrayDeque<>();
    private long lastId;

    /** @param socket that events name; null for a listener */
    public Operations(@Nullable ExsSocket socket) {
        this.socket = socket;
    }

    /** {@return the queue} @throws IllegalArgumentException if it is not from {@link EventQueue#create} */
    public static PolledEventQueue queue(EventQueue queue) {
        if (queue instanceof PolledEventQueue ours) {
            return ours;
        }
        throw new IllegalArgumentException("not a queue of this API: " + queue);
    }

    /** @throws IllegalArgumentException if {@code flags} has others than {@code allowed} */
    public static void checkFlags(int flags, int allowed) {
        if ((flags & ~allowed) != 0) {
            throw new IllegalArgumentException("unknown flags: flags=" + flags + ", allowed=" + allowed);
        }
    }

    /** {@return an operation without memory; the queue counts it from now on} */
    public Operation begin(Event.Type type, EventQueue queue, @Nullable Object context) {
        PolledEventQueue target = queue(queue);
        target.reserve();
        Operation operation = free.poll();
        if (operation == null) {
            operation = new Operation();
        }
        operation.id = ++lastId;
        operation.type = type;
        operation.queue = target;
        operation.context = context;
        operation.socket = socket;
        return operation;
    }

    /** {@return an operation with memory, which is held from now on} */
    public Operation begin(
            Event.Type type, ExsMemory memory, int offset, int length, EventQueue queue, @Nullable Object context) {
        RegisteredMemory registration = RegisteredMemory.of(memory);
        registration.check(offset, length);
        Operation operation = begin(type, queue, context);
        try {
            operation.memory = registration.hold();
        } catch (IllegalStateException closed) {
            drop(operation);
            throw closed;
        }
        operation.registration = registration;
        operation.offset = offset;
        operation.length = length;
        return operation;
    }

    /** Ends an operation with an event, unless it was disowned. */
    public void complete(Operation operation, Event.Status status, @Nullable IOException failure) {
        PolledEventQueue queue = operation.queue;
        if (queue != null) {
            letGo(operation);
            queue.deliver(operation, status, failure);
            recycle(operation);
        }
    }

    /** Ends all operations in the same way. */
    public void completeAll(ArrayDeque<Operation> pending, Event.Status status, @Nullable IOException failure) {
        for (Operation each; (each = pending.poll()) != null; ) {
            complete(each, status, failure);
        }
    }

    /** Ends an operation that has not begun, or whose queue is closed. */
    public void drop(Operation operation) {
        disown(operation);
        recycle(operation);
    }

    /** Ends the operations of a queue that is closed, without an event. */
    public void dropAll(ArrayDeque<Operation> pending, PolledEventQueue queue) {
        for (var each = pending.iterator(); each.hasNext(); ) {
            Operation operation = each.next();
            if (operation.queue == queue) {
                each.remove();
                drop(operation);
            }
        }
    }

    /** Ends an operation without an event. Its transfer goes on without memory; its queue is null from now on. */
    @SuppressWarnings("NullAway") // An operation under way has its queue.
    public void disown(Operation operation) {
        letGo(operation);
        operation.queue.events.unreserve();
        operation.registration = null;
        operation.memory = null;
        operation.queue = null;
        operation.context = null;
    }

    @SuppressWarnings("NullAway") // An operation has memory as long as it has a registration.
    private static void letGo(Operation operation) {
        if (operation.registration != null) {
            operation.registration.letGo(operation.memory);
        }
    }

    private void recycle(Operation operation) {
        operation.clear();
        if (free.size() < MAX_FREE) {
            free.push(operation);
        }
    }
}

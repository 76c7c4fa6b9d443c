package org.exsockets.es;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;

/** What sockets and listeners have in common: a lock, operations, and the queues that poll them. */
abstract class EsSource implements Pollable {
    /** Guards everything not marked otherwise. Held for one attempt, or until the peer gives memory back. */
    final ReentrantLock lock = new ReentrantLock();

    final Operations operations;

    /** Queues that poll this. Guarded by {@link #lock}. */
    private final List<Attachment> attachments = new ArrayList<>(1);

    private volatile boolean closed;

    /** @param socket that events name; null: this one */
    EsSource(ExsSocket socket) {
        this.operations = new Operations(socket == null && this instanceof ExsSocket self ? self : socket);
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    final void ensureOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /** Under the lock: the queue of an operation that begins polls this from now on. */
    final Attachment attach(PolledEventQueue queue) {
        for (int i = 0; i < attachments.size(); i++) {
            if (attachments.get(i).queue == queue) {
                return attachments.get(i);
            }
        }
        Attachment added = queue.attach(this);
        attachments.add(added);
        onAttached(added);
        return added;
    }

    /** Under the lock. */
    final List<Attachment> attachments() {
        return attachments;
    }

    /** Under the lock: {@return whether that queue looks here soon, even if nothing happens; false while it sleeps} */
    final boolean isPolledBy(PolledEventQueue queue) {
        for (int i = 0; i < attachments.size(); i++) {
            Attachment each = attachments.get(i);
            if (each.queue == queue) {
                return each.isHot() || each.changed;
            }
        }
        return false;
    }

    /** Under the lock: what is waited for has changed. Wakes the queues that do not poll this. */
    final void heatCold() {
        for (int i = 0; i < attachments.size(); i++) {
            if (!attachments.get(i).isHot()) {
                attachments.get(i).run();
            }
        }
    }

    /** Under the lock, once for each queue. */
    abstract void onAttached(Attachment attachment);

    @Override
    public final void onDetached(Attachment attachment) {
        lock.lock();
        try {
            if (attachments.remove(attachment)) {
                onForgotten(attachment);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, once after each {@link #onAttached}. */
    abstract void onForgotten(Attachment attachment);

    /** Marks this as closed, closes it, and removes it from its queues. Idempotent. */
    final void closeOnce() {
        List<Attachment> left;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            onClose();
            left = List.copyOf(attachments);
        } finally {
            lock.unlock();
        }
        left.forEach(each -> each.queue.forget(each));
    }

    /** Under the lock: ends the operations and the connection. */
    abstract void onClose();

    /** Under the lock: ends all operations in the same way. */
    final void completeAll(ArrayDeque<Operation> pending, Event.Status status, IOException failure) {
        for (Operation each; (each = pending.poll()) != null; ) {
            operations.complete(each, status, failure);
        }
    }

    /** Under the lock: {@return the operation with this number, or null} */
    static Operation find(ArrayDeque<Operation> pending, long id) {
        for (Operation each : pending) {
            if (each.id == id) {
                return each;
            }
        }
        return null;
    }

    /** Under the lock: ends the operations of a queue that is closed, without an event. */
    final void dropAll(ArrayDeque<Operation> pending, PolledEventQueue queue) {
        for (var each = pending.iterator(); each.hasNext(); ) {
            Operation operation = each.next();
            if (operation.queue == queue) {
                each.remove();
                operations.drop(operation);
            }
        }
    }
}

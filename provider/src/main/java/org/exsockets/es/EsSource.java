package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.api.ExsSocket;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Pollable;
import org.exsockets.es.queue.PolledEventQueue;
import org.jspecify.annotations.Nullable;

/** What sockets and listeners have in common: a lock, operations, and the queues that poll them. */
abstract class EsSource implements Pollable {
    /**
     * Also guards the objects that belong to this one: its operations, connection and exports. Held for one
     * attempt, or until the peer gives memory back.
     */
    final ReentrantLock lock = new ReentrantLock();

    final Operations operations;

    /** Queues that poll this. */
    @GuardedBy("lock")
    final List<Attachment> attachments = new ArrayList<>(1);

    private volatile boolean closed;

    EsSource() {
        this.operations = new Operations(this instanceof ExsSocket self ? self : null);
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

    /** The queue of an operation that begins polls this from now on. */
    @GuardedBy("lock")
    final void attach(PolledEventQueue queue) {
        for (int i = 0; i < attachments.size(); i++) {
            if (attachments.get(i).queue == queue) {
                return;
            }
        }
        Attachment added = queue.attach(this);
        attachments.add(added);
        onAttached(added);
    }

    /** {@return whether that queue looks here soon, even if nothing happens; false while it sleeps} */
    @GuardedBy("lock")
    final boolean isPolledBy(@Nullable PolledEventQueue queue) {
        for (int i = 0; i < attachments.size(); i++) {
            Attachment each = attachments.get(i);
            if (each.queue == queue) {
                return each.looksSoon();
            }
        }
        return false;
    }

    /** What is waited for has changed: wakes the queues that do not poll this. */
    @GuardedBy("lock")
    final void heatCold() {
        for (int i = 0; i < attachments.size(); i++) {
            if (!attachments.get(i).isHot()) {
                attachments.get(i).run();
            }
        }
    }

    @Override
    public final void work() {
        lock.lock();
        try {
            if (!closed) {
                move();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Continues the operations of what is not closed, for a thread that comes back. */
    @GuardedBy("lock")
    abstract void move();

    /** Once for each queue. */
    @GuardedBy("lock")
    void onAttached(Attachment attachment) {}

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

    /** Once after each {@link #onAttached}. */
    @GuardedBy("lock")
    abstract void onForgotten(Attachment attachment);

    /** Marks this as closed, closes it, and removes it from its queues. Idempotent. */
    public final void close() {
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

    /** Ends the operations and the connection. */
    @GuardedBy("lock")
    abstract void onClose();

    /** Under the lock: {@return the operation with this number, or null} */
    static @Nullable Operation find(ArrayDeque<Operation> pending, long id) {
        return pending.stream().filter(each -> each.id == id).findFirst().orElse(null);
    }
}

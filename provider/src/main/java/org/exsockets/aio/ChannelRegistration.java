package org.exsockets.aio;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.nio.ExsSocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous channel's place in its group: the non-blocking channel that does the work, its key, its directions.
 *
 * <p>The interest in an operation is raised under the lock of its direction. The leader lowers it under the same lock
 * when it finds none pending. So while a program goes on reading, the interest stays as it is.
 */
final class ChannelRegistration implements GroupSelector.Registered {
    final ExsChannelGroup group;
    private final Closeable owner;
    private final SelectableChannel channel;
    private final Part[] directions;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Null until something has to wait. Written under this object's monitor, and by the leader, to whom the selector
     * may report the key before the registration has returned it: always with the same key.
     */
    private volatile @Nullable SelectionKey key;

    /** The operations of one direction. */
    interface Part {
        /** {@return what the selector reports when one may succeed: an operation of {@link SelectionKey}} */
        int op();

        /**
         * Leader: the pending operation may succeed now.
         *
         * @param completed is given what tells the program
         */
        void onReady(List<Runnable> completed);

        /**
         * Nothing is started any more; ends the pending operation. Its handler runs in a thread of the group.
         *
         * @throws ShutdownChannelGroupException if the program's executor does not take it
         */
        void channelClosed();
    }

    /** @param owner the asynchronous channel @param directions filled by the caller before anything is started */
    ChannelRegistration(ExsChannelGroup group, Closeable owner, SelectableChannel channel, Part[] directions) {
        this.group = group;
        this.owner = owner;
        this.channel = channel;
        this.directions = directions;
    }

    boolean isOpen() {
        return !closed.get();
    }

    /**
     * Under the lock of a direction: has the selector wait for {@code op}.
     *
     * @throws AsynchronousCloseException if the channel has been closed; then the caller completes the operation
     */
    void raise(int op) throws AsynchronousCloseException {
        try {
            SelectionKey known = key;
            if (known == null) {
                register(op);
            } else if ((known.interestOps() & op) != 0) {
                return;
            } else {
                known.interestOpsOr(op);
            }
            group.threads.selectorChanged();
        } catch (ClosedChannelException | CancelledKeyException | ClosedSelectorException gone) {
            throw new AsynchronousCloseException();
        }
    }

    private synchronized void register(int op) throws ClosedChannelException {
        if (closed.get()) {
            throw new ClosedChannelException();
        }
        if (key == null) {
            key = channel.register(group.threads.selector.inner, op, this);
        } else {
            key.interestOpsOr(op);
        }
    }

    /** {@return the key, which the selector has reported} Leader. */
    @SuppressWarnings("NullAway") // See onReady.
    private SelectionKey reported() {
        return key;
    }

    /** Leader, under the lock of a direction: no operation is pending. */
    void lower(int op) {
        try {
            reported().interestOpsAnd(~op);
        } catch (CancelledKeyException gone) {
            // The channel is closed.
        }
    }

    /** If a write and a read are both done, the read is reported first. */
    @Override
    public void onReady(SelectionKey ready, int ops, List<Runnable> completed) {
        if (key == null) {
            key = ready;
        }
        int before = completed.size();
        int tried = ops | writeThatWaits(ops);
        for (Part direction : directions) {
            if ((tried & direction.op()) != 0) {
                direction.onReady(completed);
            }
        }
        if (completed.size() == before + 2) {
            Collections.swap(completed, before, before + 1);
        }
    }

    /**
     * Over EXS a selection that began before a write had to wait reports the read alone; over TCP the kernel reports
     * both. If the write is tried, too, and first, it reports a reset, as over TCP.
     *
     * @return OP_WRITE, or 0
     */
    private int writeThatWaits(int ops) {
        try {
            return (ops & SelectionKey.OP_READ) != 0 && channel instanceof ExsSocketChannel exs && exs.isOverExs()
                    ? reported().interestOps() & SelectionKey.OP_WRITE
                    : 0;
        } catch (CancelledKeyException gone) {
            return 0;
        }
    }

    /**
     * Closes the channel, and ends its pending operations. The {@link #owner} leaves the group last: until then there are
     * threads to run handlers.
     *
     * <p>The selector removes the channel first. Otherwise a channel of the JDK keeps its descriptor, and a listener
     * its port, until the next selection, and a connection with unread bytes ends its output instead of being reset.
     */
    void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            leaveSelector();
        } finally {
            try {
                channel.close();
            } finally {
                endAll();
            }
        }
    }

    /** @throws ShutdownChannelGroupException if the program's executor takes no handler; all operations have ended */
    private void endAll() {
        ShutdownChannelGroupException notTold = null;
        try {
            for (Part direction : directions) {
                try {
                    direction.channelClosed();
                } catch (ShutdownChannelGroupException e) {
                    notTold = e;
                }
            }
        } finally {
            group.detach(owner);
        }
        if (notTold != null) {
            throw notTold;
        }
    }

    private void leaveSelector() {
        SelectionKey known;
        synchronized (this) {
            known = key; // No thread registers any more.
        }
        if (known != null) {
            known.cancel();
            group.threads.selector.flush();
        }
    }
}

package org.exsockets.verbs.soft.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import org.exsockets.jdk.DescriptorChannels;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * A socket of {@link UnixSockets}, with a channel of the JDK over it once a selector needs one. Thread-safe: the
 * monitor keeps the descriptor from being closed, and its number from becoming another file's, while a call uses it. No
 * call blocks.
 */
public final class LocalSocket {
    private static final int NONE = -1;
    private static final byte[] PASSED = {UnixSockets.PASSED};

    private final int descriptor;

    /** Of a listening socket: what selectors see of it; else {@link #NONE}. */
    private final int gate;

    /** Null until {@link #selectable}. */
    @GuardedBy("this")
    private @Nullable SelectableChannel channel;

    @GuardedBy("this")
    private boolean closed;

    /** Something has been read. */
    @GuardedBy("this")
    private boolean reads;

    private LocalSocket(int descriptor, int gate) {
        this.descriptor = descriptor;
        this.gate = gate;
    }

    public static LocalSocket open() throws SystemFailure {
        return new LocalSocket((int) SystemFailure.check(UnixSockets.open()), NONE);
    }

    public static LocalSocket listen(byte[] name, int backlog) throws SystemFailure {
        int descriptor = (int) SystemFailure.check(UnixSockets.open());
        int failure = UnixSockets.listen(descriptor, name, backlog);
        int gate = failure < 0 ? failure : UnixSockets.openGate(descriptor);
        if (gate < 0) {
            NativeMemory.close(descriptor);
            throw SystemFailure.of(gate);
        }
        return new LocalSocket(descriptor, gate);
    }

    /** Of a listening socket: whether {@link #selectable} shows connections that wait. They are there in any case. */
    public synchronized void show(boolean waiting) {
        if (!closed) {
            UnixSockets.setGate(gate, descriptor, waiting);
        }
    }

    /** As {@link UnixSockets#setBacklog}. */
    public synchronized void setBacklog(int backlog) {
        if (!closed) {
            UnixSockets.setBacklog(descriptor, backlog);
        }
    }

    /** As {@link UnixSockets#connect}. {@return 0, or −errno} */
    public synchronized int connect(byte[] name, long[] peer) throws ClosedChannelException {
        return UnixSockets.connect(open(descriptor), name, peer);
    }

    /**
     * {@return the next connection; null if none waits}
     *
     * @param peer as of {@link UnixSockets#accept}
     */
    public synchronized @Nullable LocalSocket accept(long[] peer) throws IOException {
        int accepted = UnixSockets.accept(open(descriptor), peer);
        if (accepted == -SystemFailure.AGAIN) {
            return null;
        }
        return new LocalSocket((int) SystemFailure.check(accepted), NONE);
    }

    /** {@return as {@link UnixSockets#peerProcess}} */
    public synchronized int peerProcess() {
        return closed ? -1 : UnixSockets.peerProcess(descriptor);
    }

    /** As {@link UnixSockets#send}. */
    public synchronized int send(byte[] bytes, int first, int second) throws IOException {
        return (int) SystemFailure.check(UnixSockets.send(open(descriptor), bytes, first, second));
    }

    /** {@return as {@link UnixSockets#receive}, or −1 if there is nothing} Unwanted: {@link #closePassed}. */
    public synchronized int receive(byte[] into, int offset, int[] passed) throws IOException {
        reads = true; // It reads urgent bytes in line, too.
        int received = UnixSockets.receive(open(descriptor), into, offset, passed);
        return received == -SystemFailure.AGAIN ? -1 : (int) SystemFailure.check(received);
    }

    /** Passes a descriptor with a byte. {@return whether it was sent} */
    public synchronized boolean pass(int passed) {
        return !closed && UnixSockets.send(descriptor, PASSED, passed, -1) == 1;
    }

    /** {@return whether the peer may still be there} A full socket has woken it already. */
    public synchronized boolean ring() {
        int failure = closed ? -1 : UnixSockets.ring(descriptor);
        return failure == 0 || failure == -SystemFailure.AGAIN;
    }

    /**
     * {@return as {@link UnixSockets#drain}; 0 also if the socket is closed or has failed; negative if there is
     * nothing}
     */
    public synchronized long drain() {
        beginToRead();
        long drained = closed ? 0 : UnixSockets.drain(descriptor);
        return drained < 0 && drained != -SystemFailure.AGAIN ? 0 : drained;
    }

    /** {@return as {@link UnixSockets#takePassed}; negative also if the socket is closed} */
    public synchronized long takePassed() {
        beginToRead();
        return closed ? -1 : UnixSockets.takePassed(descriptor);
    }

    /** Most sockets are never read from. */
    @GuardedBy("this")
    private void beginToRead() {
        if (!reads && !closed) {
            reads = true;
            UnixSockets.readUrgentInLine(descriptor);
        }
    }

    /** The peer sees end of file, and can send nothing more. */
    public synchronized void shutdown() {
        if (!closed) {
            UnixSockets.shutdown(descriptor); // Fails harmlessly if the peer has closed already.
        }
    }

    /** {@return for poll(2), by a caller that keeps it open; not to be closed} */
    public int descriptor() {
        return descriptor;
    }

    /** {@return a non-blocking channel, readable when this is, or when a connection waits} */
    public synchronized SelectableChannel selectable() {
        if (channel == null) {
            try {
                channel = closed
                        ? DescriptorChannels.closed()
                        : DescriptorChannels.readable(gate != NONE ? gate : descriptor);
            } catch (IOException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
        return channel;
    }

    /** {@return {@link #selectable}, if that has been called} */
    public synchronized @Nullable SelectableChannel known() {
        return channel;
    }

    @GuardedBy("this")
    private int open(int own) throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        return own;
    }

    /** Closes a descriptor that has come with bytes, and that this process does not want. Does not wait for its end. */
    public static void closePassed(int passed) {
        Closer.closePassed(passed);
    }

    /** {@return sockets that {@link #turnAway} and {@link #close} have left to another thread, and are not closed yet} */
    public static int toBeClosed() {
        return Closer.sockets();
    }

    /** For a socket that has just been accepted, from whoever may not be a peer: he sees its end, and nothing is read. */
    public synchronized void turnAway() {
        shutdown();
        closed = true;
        Closer.closeSocket(descriptor);
    }

    /**
     * The peer sees its end at once; a listener's name is free at once. The descriptor is closed when no selector knows
     * it any more. What the peer has passed and nobody has read is let go of by another thread. Idempotent.
     */
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (gate != NONE) {
            endListening();
            return;
        }
        if (channel == null) {
            if (!UnixSockets.close(descriptor)) {
                Closer.closeSocket(descriptor);
            }
            return;
        }
        if (UnixSockets.isLeft(descriptor)) {
            int kept = UnixSockets.keepOpen(descriptor); // Negative: this process has no descriptor left for that.
            UnixSockets.retire(descriptor); // So that the channel, or a selector, is not the last to let go.
            if (kept >= 0) {
                Closer.closeSocket(kept);
            }
        }
        closeChannel(descriptor);
    }

    /** Selectors know the gate only. What waits in the backlog would end with the socket, in this thread. */
    @GuardedBy("this")
    private void endListening() {
        UnixSockets.shutdown(descriptor);
        long[] peer = new long[1];
        for (int waiting; (waiting = UnixSockets.accept(descriptor, peer)) >= 0; ) {
            new LocalSocket(waiting, NONE).close();
        }
        NativeMemory.close(descriptor);
        closeChannel(gate);
    }

    @GuardedBy("this")
    private void closeChannel(int under) {
        if (channel == null) {
            NativeMemory.close(under);
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            Log.debug("socket: close failed: " + e.getMessage());
        }
    }
}

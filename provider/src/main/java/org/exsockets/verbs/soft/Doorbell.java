package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.memory.OwnBuffers;
import org.exsockets.verbs.CompletionChannel;

/**
 * One end of a Unix-domain socket as completion channel: a byte is an event, end of file is the peer's end.
 *
 * <p>Thread-safe. Bytes carry no information; a full socket buffer already wakes the peer, so a write that would block
 * is dropped.
 */
final class Doorbell implements CompletionChannel {
    private static final int DRAIN_BYTES = 64;

    /** The peer's wake-up and one's own, with their system calls: 11 µs each on the word of the segment, some more on the socket. */
    private static final long WAKE_UP_NS = 30_000;

    /** What all doorbells write from and read into: its content does not matter. */
    private static final OwnBuffers.Shared BYTES = new OwnBuffers.Shared(DRAIN_BYTES);

    private final SocketChannel channel;

    /** Written from; its position is guarded by its monitor. */
    private final ByteBuffer bell = BYTES.get().slice(0, 1);

    /** Read into; its position is guarded by its monitor. */
    private final ByteBuffer taken = BYTES.get().duplicate();

    private volatile boolean hungUp;

    /**
     * @param channel connected; becomes non-blocking
     * @throws OutOfMemoryError if it is the first one, and there is no direct memory: see {@link #prepare}
     */
    Doorbell(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
    }

    /** Makes what all of them share, so that none fails for want of it. */
    static void prepare() {
        BYTES.get();
    }

    @Override
    public SelectableChannel selectable() {
        return channel;
    }

    @Override
    public long wakeUpNs() {
        return WAKE_UP_NS;
    }

    /** Wakes the peer. A peer that is gone is noticed by {@link #drain()}. */
    void ring() {
        try {
            synchronized (bell) {
                channel.write(bell.clear());
            }
        } catch (IOException peerGoneOrClosed) {
            hungUp = true;
        }
    }

    @Override
    public int drain() {
        if (hungUp) {
            return HANGUP;
        }
        int events = 0;
        try {
            int n;
            synchronized (taken) {
                n = channel.read(taken.clear());
            }
            // Once: a peer that writes without end would keep us here. What is left keeps the channel readable.
            if (n > 0) {
                events = EVENT;
            }
            hungUp |= n < 0;
        } catch (IOException resetOrClosed) {
            hungUp = true;
        }
        return hungUp ? events | HANGUP : events;
    }

    /** Ends the connection: the peer sees end of file at once. The channel stays open for {@link #isAbandoned}. */
    void end() {
        hungUp = true;
        try {
            channel.shutdownOutput();
        } catch (IOException peerWasFaster) {
            // It sees nothing any more.
        }
    }

    /** {@return whether the other end has been closed; for a connection that waits to be accepted, the listener's} */
    boolean isAbandoned() {
        try {
            synchronized (taken) {
                return channel.read(taken.clear()) < 0;
            }
        } catch (IOException reset) {
            return true;
        }
    }

    /** Gives back the descriptor. Follows {@link #end}. */
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("doorbell: close failed", e);
        }
    }
}

package org.exsockets.aio;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.exsockets.nio.ExsSocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Tries the reads of a channel. Over EXS the connection may keep a large direct buffer while a read is pending, so that
 * the peer can write to it. Used under the lock of its {@link Direction}.
 */
final class Reading implements Direction.Attempt {
    private final ExsSocketChannel channel;
    private volatile boolean shut;

    /** A read has failed because of a reset. Guarded by the lock of the direction. */
    private boolean resetTold;

    Reading(SocketChannel channel) {
        this.channel = (ExsSocketChannel) channel; // As all that our provider opens and our listeners accept.
    }

    /** Any thread: from now on reads find the end of the stream. */
    void shut() {
        shut = true;
    }

    boolean isShut() {
        return shut;
    }

    @Override
    @SuppressWarnings("NullAway") // There is one of buffer and buffers.
    public Object run(@Nullable ByteBuffer buffer, ByteBuffer @Nullable [] buffers, boolean waited) throws IOException {
        try {
            return buffers == null ? read(buffer) : scatter(buffers);
        } catch (ClosedChannelException e) {
            throw new AsynchronousCloseException();
        } catch (SocketException reset) {
            // The JDK's other channels and sockets have a class for resets, and remember one; asynchronous ones do not.
            if (resetTold) {
                return buffers == null ? (Object) (-1) : (Object) (-1L);
            }
            resetTold = true;
            throw new IOException(reset.getMessage()); // As in the JDK, of this class and without a cause.
        }
    }

    private Object read(ByteBuffer target) throws IOException {
        if (shut) {
            Object late = giveUp(target);
            return late == Direction.WAIT ? (Object) (-1) : late;
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        int n = channel.readLater(target);
        return n == 0 ? Direction.WAIT : (Object) n;
    }

    private Object scatter(ByteBuffer[] targets) throws IOException {
        if (shut) {
            return -1L;
        }
        if (!anyRemaining(targets)) {
            return 0L;
        }
        long n = channel.read(targets);
        return n == 0 ? Direction.WAIT : (Object) n;
    }

    @Override
    public Object giveUp(@Nullable ByteBuffer buffer) {
        int n = buffer == null ? 0 : channel.takeBack(buffer);
        return n == 0 ? Direction.WAIT : (Object) n;
    }

    /** {@return whether there is one with room, or bytes} @throws NullPointerException if one is missing */
    static boolean anyRemaining(ByteBuffer[] buffers) {
        boolean any = false;
        for (ByteBuffer buffer : buffers) {
            any |= buffer.hasRemaining();
        }
        return any;
    }
}

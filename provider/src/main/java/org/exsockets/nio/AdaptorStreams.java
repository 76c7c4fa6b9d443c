package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.StreamOwner;
import org.exsockets.nio.transport.ChannelTcp;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a channel's adaptor: how long they wait and what they throw, by the rules of channels. Any thread;
 * {@link ExsConnection} and the JDK's channel admit one reader and one writer at a time.
 */
final class AdaptorStreams implements StreamOwner {
    private final SocketChannel channel;
    private final ChannelTcp tcp;

    /** From SO_TIMEOUT; used by every read. */
    private volatile Wait readWait = Wait.INTERRUPTIBLE;

    AdaptorStreams(SocketChannel channel, ChannelTcp tcp) {
        this.channel = channel;
        this.tcp = tcp;
    }

    /** @param timeoutMs SO_TIMEOUT, in milliseconds; 0: none */
    void setTimeout(int timeoutMs) {
        readWait = Wait.ofTimeout(timeoutMs, true);
    }

    @Override
    public Wait readWait() throws IOException {
        beginCall();
        return readWait;
    }

    @Override
    public @Nullable Wait readWaitInTime() {
        return null;
    }

    @Override
    public Wait writeWait() throws IOException {
        beginCall();
        return Wait.INTERRUPTIBLE;
    }

    @Override
    public void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void beginCall() throws IOException {
        ensureOpen();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
    }

    @Override
    public boolean reportsAgain() {
        return false;
    }

    @Override
    public IOException closedBefore() {
        return new ClosedChannelException();
    }

    @Override
    public IOException closedMeanwhile() {
        return new AsynchronousCloseException();
    }

    @Override
    public IOException outputShut(ExsConnection connection) {
        return new ClosedChannelException();
    }

    @Override
    public IOException writeFailed(IOException failure) {
        return failure;
    }

    @Override
    public IOException plainFailed(IOException failure) throws IOException {
        return tcp.closedWith(failure);
    }

    @Override
    public IOException interrupted() throws IOException {
        channel.close();
        return new ClosedByInterruptException();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package org.exsockets.nio;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import org.exsockets.socket.ConnectionInputStream;
import org.exsockets.socket.ConnectionOutputStream;
import org.exsockets.socket.ExsConnection;
import org.exsockets.socket.StreamOwner;
import org.exsockets.socket.Wait;

/**
 * The streams of a channel's adaptor: how long they wait, and what they report, by the rules of channels. Any thread; at
 * most one reads and one writes at a time, as {@link ExsConnection} and the JDK's channel see to.
 */
final class AdaptorStreams implements StreamOwner {
    private final ExsSocketChannel channel;

    /** Written by whoever sets SO_TIMEOUT, read by every read. */
    private volatile Wait readWait = Wait.INTERRUPTIBLE;

    AdaptorStreams(ExsSocketChannel channel) {
        this.channel = channel;
    }

    /** @param timeoutMs SO_TIMEOUT, in milliseconds; 0: none */
    void setTimeout(int timeoutMs) {
        readWait = Wait.ofTimeout(timeoutMs, true);
    }

    /** {@return what reads from the connection} */
    InputStream input(ExsConnection exs) {
        return new ConnectionInputStream(exs, this);
    }

    /** {@return what reads from the JDK's adaptor, and closes our channel with its own} */
    InputStream input(Socket jdk) throws IOException {
        return new FilterInputStream(jdk.getInputStream()) {
            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** {@return what writes to the connection} */
    OutputStream output(ExsConnection exs) {
        return new ConnectionOutputStream(exs, this);
    }

    /** {@return what writes to the JDK's adaptor, and closes our channel with its own} */
    OutputStream output(Socket jdk) throws IOException {
        return new FilterOutputStream(jdk.getOutputStream()) {
            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                out.write(source, offset, length);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public Wait readWait() throws IOException {
        ensureStreamable();
        return readWait;
    }

    @Override
    public Wait writeWait() throws IOException {
        ensureStreamable();
        return Wait.INTERRUPTIBLE;
    }

    @Override
    public void ensureOpen() throws ClosedChannelException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void ensureStreamable() throws ClosedChannelException {
        ensureOpen();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    @Override
    public boolean endOutlivesClose() {
        return false;
    }

    @Override
    public IOException closedMeanwhile() {
        return new AsynchronousCloseException();
    }

    @Override
    public IOException outputShut() {
        return new ClosedChannelException();
    }

    @Override
    public IOException writeFailed(IOException failure) {
        return failure;
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

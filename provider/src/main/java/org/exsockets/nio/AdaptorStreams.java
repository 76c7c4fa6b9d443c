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
import java.nio.channels.SocketChannel;
import org.exsockets.connection.ConnectionInputStream;
import org.exsockets.connection.ConnectionOutputStream;
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

    /** {@return a stream that reads from the connection} */
    InputStream input(ExsConnection exs) {
        return new ConnectionInputStream(exs, this);
    }

    /** {@return a stream that reads from the JDK's adaptor; its close closes our channel} */
    InputStream input(Socket jdk) throws IOException {
        return new FilterInputStream(jdk.getInputStream()) {
            @Override
            public int read() throws IOException {
                try {
                    return in.read();
                } catch (IOException e) {
                    throw tcp.closedWith(e);
                }
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                try {
                    return in.read(target, offset, length);
                } catch (IOException e) {
                    throw tcp.closedWith(e);
                }
            }

            @Override
            public long skip(long n) throws IOException {
                try {
                    return in.skip(n);
                } catch (IOException e) {
                    throw tcp.closedWith(e);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** {@return a stream that writes to the connection} */
    OutputStream output(ExsConnection exs) {
        return new ConnectionOutputStream(exs, this);
    }

    /** {@return a stream that writes to the JDK's adaptor; its close closes our channel} */
    OutputStream output(Socket jdk) throws IOException {
        return new FilterOutputStream(jdk.getOutputStream()) {
            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                try {
                    out.write(source, offset, length);
                } catch (IOException e) {
                    throw tcp.closedWith(e);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
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

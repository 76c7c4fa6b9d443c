package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.exsockets.api.Event;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Pollable;
import org.exsockets.observe.Log;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.ProgressThread;

/**
 * A connection over TCP: a channel of the JDK in non-blocking mode. The kernel keeps what has arrived, and the interest of
 * its keys wakes the queues.
 */
record TcpWire(SocketChannel channel, InetSocketAddress localAddress, InetSocketAddress remoteAddress)
        implements StreamWire {
    /** @param channel connected */
    static TcpWire over(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true); // As over EXS, no operation waits for the next.
        return new TcpWire(
                channel, (InetSocketAddress) channel.getLocalAddress(), (InetSocketAddress) channel.getRemoteAddress());
    }

    @Override
    public void moveReceives(ArrayDeque<Operation> pending, Operations operations) throws IOException {
        for (Operation next; (next = pending.peek()) != null; ) {
            int n;
            try {
                n = channel.read(next.rest());
            } catch (IOException | RuntimeException e) {
                IOException failure = next.memoryFailure(e);
                if (failure == null) {
                    throw e;
                }
                pending.poll();
                operations.complete(next, Event.Status.FAILED, failure);
                continue;
            }
            if (n == 0) {
                return;
            }
            if (n > 0) {
                next.moved += n;
                if (next.waitAll && next.moved < next.length) {
                    continue;
                }
            }
            next.endOfStream = n < 0;
            pending.poll();
            operations.complete(next, Event.Status.DONE, null);
        }
    }

    @Override
    public boolean cancel(Operation receive) {
        return true;
    }

    @Override
    public int write(ByteBuffer source, boolean patient) throws IOException {
        int n = channel.write(source);
        return n == 0 ? Outcome.WOULD_BLOCK : n;
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void reset() {
        close(true);
    }

    @Override
    public void close(boolean reset) {
        try {
            if (reset) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException e) {
            Log.debug("close of a TCP connection: " + e);
        }
        ProgressThread.flushClosed(channel);
    }

    @Override
    public void channels(Pollable.Channels visitor, boolean reading, boolean writing) {
        visitor.accept(channel, (reading ? SelectionKey.OP_READ : 0) | (writing ? SelectionKey.OP_WRITE : 0));
    }

    @Override
    public String transport() {
        return "tcp";
    }
}

package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.KernelTcp;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Told;
import org.exsockets.compat.harness.Transport;

/** What contracts about asynchronous channels have in common: groups that end with the test, and connections in them. */
abstract class AsynchronousContract extends Contract {
    /** Threads of groups are called so. */
    static final String GROUP_THREAD = "group-under-test-";

    private static final AtomicInteger THREADS = new AtomicInteger();
    static final ThreadFactory FACTORY = task -> new Thread(task, GROUP_THREAD + THREADS.incrementAndGet());

    /** Over shared memory: the buffer of the start, and what exs.buffer says by default. */
    private static final long MOST_AHEAD_BYTES = (256 << 10) + (4 << 20);

    /** A connection between an asynchronous channel here and a blocking connection in the peer process. */
    record AsynchronousLink(AsynchronousSocketChannel local, PeerSocket remote) {}

    /** Both ends of a connection inside this process. */
    record AsynchronousPair(AsynchronousSocketChannel client, AsynchronousSocketChannel server) {}

    /** A handler of what does not fail: the test waits in vain then, and this says why. */
    interface Succeeding<V> extends CompletionHandler<V, Object> {
        @Override
        default void failed(Throwable failure, Object attachment) {
            failure.printStackTrace();
        }
    }

    /** Returns a group of so many threads, which must have ended when the test's channels are closed. */
    final AsynchronousChannelGroup group(int threads) throws IOException {
        return ending(AsynchronousChannelGroup.withFixedThreadPool(threads, FACTORY));
    }

    final AsynchronousChannelGroup ending(AsynchronousChannelGroup group) {
        closing(() -> {
            group.shutdownNow();
            Patience.await("group ends", group::awaitTermination);
        });
        return group;
    }

    final AsynchronousSocketChannel channel(AsynchronousChannelGroup group) throws IOException {
        return closing(AsynchronousSocketChannel.open(group));
    }

    final AsynchronousServerSocketChannel listener(AsynchronousChannelGroup group) throws IOException {
        return closing(AsynchronousServerSocketChannel.open(group)).bind(testAddress(0));
    }

    static int port(AsynchronousServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    final AsynchronousLink connectedTo(Face face, AsynchronousChannelGroup group) throws Exception {
        PeerListener listener = listener(face);
        PeerSocket remote = listener.accept();
        AsynchronousSocketChannel local = channel(group);
        get(local.connect(testAddress(listener.port())));
        closing(remote::close);
        return new AsynchronousLink(local, remote.awaitOpen());
    }

    /** Connects to a blocking channel of the peer, in a group of two threads. */
    final AsynchronousLink connected() throws Exception {
        return connectedTo(Face.NIO, group(2));
    }

    final AsynchronousLink acceptedFrom(Face face, AsynchronousChannelGroup group) throws Exception {
        AsynchronousServerSocketChannel listener = listener(group);
        Future<AsynchronousSocketChannel> accepted = listener.accept();
        PeerSocket remote = peer().connect(face, TestHost.NAME, port(listener));
        AsynchronousSocketChannel local = closing(get(accepted));
        closing(remote::close);
        return new AsynchronousLink(local, remote.awaitOpen());
    }

    final AsynchronousPair pair(AsynchronousChannelGroup clients, AsynchronousChannelGroup servers) throws Exception {
        AsynchronousServerSocketChannel listener = listener(servers);
        Future<AsynchronousSocketChannel> accepted = listener.accept();
        AsynchronousSocketChannel client = channel(clients);
        get(client.connect(listener.getLocalAddress()));
        return new AsynchronousPair(client, closing(get(accepted)));
    }

    final AsynchronousPair pair() throws Exception {
        AsynchronousChannelGroup group = group(2);
        return pair(group, group);
    }

    /** Waits for a result, but not for ever. */
    static <V> V get(Future<V> future) throws Exception {
        return Patience.get("the operation ends", future);
    }

    /** Waits for the failure of an operation. */
    static Throwable failure(Future<?> future) throws Exception {
        try {
            Object result = get(future);
            throw new AssertionError("no failure, but " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** The handler was called by a thread of a group that {@link #FACTORY} has made. */
    static void assertOfGroup(Told<?> told) {
        String name = told.thread().getName();
        assertTrue(name.startsWith(GROUP_THREAD), name);
    }

    static void readFully(AsynchronousSocketChannel channel, ByteBuffer buffer) throws Exception {
        while (buffer.hasRemaining()) {
            assertTrue(get(channel.read(buffer)) > 0, "the stream ended early");
        }
    }

    static void readPattern(AsynchronousSocketChannel channel, long position, int lengthBytes) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(lengthBytes);
        readFully(channel, buffer);
        Pattern.check(position, buffer.flip());
    }

    static void writeFully(AsynchronousSocketChannel channel, ByteBuffer buffer) throws Exception {
        while (buffer.hasRemaining()) {
            get(channel.write(buffer));
        }
    }

    /** Writes until a write stays pending; returns that. Nobody reads meanwhile. */
    static Future<Integer> fill(AsynchronousSocketChannel channel) throws Exception {
        for (long taken = 0; ; ) {
            Future<Integer> write = channel.write(ByteBuffer.allocate(1 << 20));
            if (staysPending(write, taken, channel)) {
                return write;
            }
            taken += write.get();
        }
    }

    /** @param taken bytes that have been written before */
    private static boolean staysPending(Future<?> write, long taken, AsynchronousSocketChannel channel)
            throws Exception {
        if (transport() == Transport.SOFT && taken >= MOST_AHEAD_BYTES) {
            return !write.isDone();
        }
        if (transport() != Transport.TCP) {
            return !doneSoon(write);
        }
        while (!write.isDone()) {
            if (!KernelTcp.makesRoom(channel.getLocalAddress(), channel.getRemoteAddress())) {
                return !write.isDone();
            }
        }
        return false;
    }

    /** Waits a little for an operation that may stay pending. */
    static boolean doneSoon(Future<?> future) throws Exception {
        try {
            future.get(800, TimeUnit.MILLISECONDS);
            return true;
        } catch (java.util.concurrent.TimeoutException pending) {
            return false;
        }
    }
}

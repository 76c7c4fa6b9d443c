package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Told;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code AsynchronousServerSocketChannel}. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousAcceptContract extends AsynchronousContract {
    private static final int MANY = 40;

    @Test
    void acceptYieldsAConnectedChannel() throws Exception {
        AsynchronousPair pair = pair();
        assertEquals(pair.client().getLocalAddress(), pair.server().getRemoteAddress());
        get(pair.client().write(ByteBuffer.wrap(new byte[] {7})));
        ByteBuffer one = ByteBuffer.allocate(1);
        assertEquals(1, get(pair.server().read(one)));
        assertEquals(7, one.get(0));
    }

    @Test
    void blockingSocketOfAnotherProcessIsAccepted() throws Exception {
        AsynchronousLink link = acceptedFrom(Face.NET, group(1));
        link.remote().write(100_000);
        readPattern(link.local(), 0, 100_000);
    }

    @Test
    void blockingChannelOfAnotherProcessIsAccepted() throws Exception {
        AsynchronousLink link = acceptedFrom(Face.NIO, group(1));
        var read = link.remote().startRead(100_000);
        writeFully(link.local(), org.exsockets.compat.harness.Pattern.buffer(0, 100_000));
        assertEquals("100000", org.exsockets.compat.harness.PeerJvm.await(read));
    }

    @Test
    void handlerThatAcceptsAgainGetsAllConnections() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(2));
        CountDownLatch left = new CountDownLatch(MANY);
        listener.accept(null, new Succeeding<AsynchronousSocketChannel>() {
            @Override
            public void completed(AsynchronousSocketChannel accepted, Object attachment) {
                synchronized (left) {
                    closing(accepted);
                }
                left.countDown();
                if (left.getCount() > 0) {
                    listener.accept(null, this);
                }
            }
        });
        for (int i = 0; i < MANY; i++) {
            SocketChannel client = SocketChannel.open(listener.getLocalAddress());
            synchronized (left) {
                closing(client);
            }
        }
        Patience.await("left", left::await);
    }

    @Test
    void handlerThatAcceptsAgainIsNotInterruptedByTheNextConnection() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        for (int i = 0; i < 3; i++) {
            closing(SocketChannel.open(listener.getLocalAddress()));
        }
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(3);
        listener.accept(null, new Succeeding<AsynchronousSocketChannel>() {
            @Override
            public void completed(AsynchronousSocketChannel accepted, Object attachment) {
                deepest.accumulateAndGet(inside.incrementAndGet(), Math::max);
                closing(accepted);
                if (left.getCount() > 1) {
                    listener.accept(null, this);
                }
                inside.decrementAndGet();
                left.countDown();
            }
        });
        Patience.await("left", left::await);
        assertEquals(1, deepest.get());
    }

    @Test
    void connectionsThatCameBeforeAreAccepted() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        SocketChannel first = closing(SocketChannel.open(listener.getLocalAddress()));
        SocketChannel second = closing(SocketChannel.open(listener.getLocalAddress()));
        assertEquals(first.getLocalAddress(), closing(get(listener.accept())).getRemoteAddress());
        assertEquals(second.getLocalAddress(), closing(get(listener.accept())).getRemoteAddress());
    }

    @Test
    void secondAcceptThrowsAcceptPending() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        listener.accept();
        assertThrows(AcceptPendingException.class, null, listener::accept);
        assertThrows(AcceptPendingException.class, null, () -> listener.accept(null, new Told<>()));
    }

    @Test
    void acceptBeforeBindThrowsNotYetBound() throws Exception {
        AsynchronousServerSocketChannel listener = closing(AsynchronousServerSocketChannel.open(group(1)));
        assertNull(listener.getLocalAddress());
        assertThrows(NotYetBoundException.class, null, listener::accept);
    }

    @Test
    void secondBindThrowsAlreadyBound() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        assertThrows(AlreadyBoundException.class, null, () -> listener.bind(testAddress(0)));
        assertThrows(AlreadyBoundException.class, null, () -> listener.bind(null));
        assertTrue(((InetSocketAddress) listener.getLocalAddress()).getPort() > 0);
    }

    @Test
    void addressIsLookedAtBeforeTheListener() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    UnresolvedAddressException.class,
                    null,
                    () -> listener.bind(InetSocketAddress.createUnresolved("nowhere", 0)));
            assertThrows(
                    UnsupportedAddressTypeException.class,
                    null,
                    () -> listener.bind(UnixDomainSocketAddress.of("/nowhere")));
            listener.close();
        }
    }

    @Test
    void closeDuringAcceptFailsWithAsynchronousClose() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        listener.close();
        assertThrown(AsynchronousCloseException.class, null, failure(accept));
    }

    @Test
    void closeDuringAcceptTellsTheHandler() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        Told<AsynchronousSocketChannel> told = new Told<>();
        listener.accept("attached", told);
        listener.close();
        assertThrown(AsynchronousCloseException.class, null, told.failure());
        assertEquals("attached", told.attachment());
    }

    @Test
    void acceptOfAClosedListenerFailsThroughTheFuture() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        listener.close();
        assertFalse(listener.isOpen());
        assertThrown(ClosedChannelException.class, null, failure(listener.accept()));
        assertThrows(ClosedChannelException.class, null, listener::getLocalAddress);
        assertThrows(ClosedChannelException.class, null, () -> listener.bind(null));
    }

    @Test
    void nothingIsAcceptedAfterACancelledAccept() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        assertTrue(accept.cancel(false));
        assertThrows(RuntimeException.class, "Accept not allowed due cancellation", listener::accept);
    }

    @Test
    void connectionThatACancelledAcceptWouldHaveGotIsClosed() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        assertTrue(accept.cancel(false));
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        assertEquals(-1, client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void portIsFreeOnceTheListenerIsClosed() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        var address = listener.getLocalAddress();
        for (int i = 0; i < 20; i++) {
            listener.accept();
            listener.close();
            listener = closing(AsynchronousServerSocketChannel.open(group(1))).bind(address);
        }
        Future<AsynchronousSocketChannel> accept = listener.accept();
        get(channel(group(1)).connect(address));
        closing(get(accept));
    }

    @Test
    void acceptWithoutAHandlerIsRefused() throws Exception {
        AsynchronousServerSocketChannel listener = listener(group(1));
        assertThrows(NullPointerException.class, "'handler' is null", () -> listener.accept(null, null));
    }

    @Test
    void acceptedChannelRunsItsHandlersInTheListenersGroup() throws Throwable {
        AsynchronousChannelGroupOfOne servers = new AsynchronousChannelGroupOfOne();
        AsynchronousPair pair = pair(group(1), ending(servers.group));
        Told<Integer> told = new Told<>();
        pair.server().read(ByteBuffer.allocate(1), null, told);
        get(pair.client().write(ByteBuffer.allocate(1)));
        assertEquals(1, told.result());
        assertEquals(servers.thread, told.thread());
    }

    /** A group whose only thread is known. */
    private static final class AsynchronousChannelGroupOfOne {
        private volatile Thread thread;
        private final java.nio.channels.AsynchronousChannelGroup group;

        AsynchronousChannelGroupOfOne() throws java.io.IOException {
            group = java.nio.channels.AsynchronousChannelGroup.withFixedThreadPool(
                    1, task -> thread = FACTORY.newThread(task));
        }
    }
}

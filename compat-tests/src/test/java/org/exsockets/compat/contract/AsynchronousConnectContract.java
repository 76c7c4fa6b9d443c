package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Told;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code AsynchronousSocketChannel}: connecting, addresses, options. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousConnectContract extends AsynchronousContract {
    @Test
    void connectYieldsNothingThroughAFuture() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Future<Void> connect = client.connect(listener(group(1)).getLocalAddress());
        assertNull(get(connect));
        assertTrue(connect.isDone());
        assertFalse(connect.isCancelled());
    }

    @Test
    void connectTellsTheHandlerOnceWithItsAttachment() throws Throwable {
        AsynchronousSocketChannel client = channel(group(1));
        Told<Void> told = new Told<>();
        client.connect(listener(group(1)).getLocalAddress(), "attached", told);
        assertNull(told.result());
        assertEquals("attached", told.attachment());
        assertEquals(1, told.calls());
        assertOfGroup(told);
    }

    @Test
    void wildcardIsTheLoopbackOfTheJvmsFamilyAndStaysTheRemoteAddress() throws Exception {
        var listener = closing(AsynchronousServerSocketChannel.open(group(1))).bind(new InetSocketAddress(0));
        int port = port(listener);
        InetAddress bound = ((InetSocketAddress) listener.getLocalAddress()).getAddress();
        InetAddress loopback = InetAddress.getByName(bound instanceof Inet6Address ? "::1" : "127.0.0.1");
        for (String wildcard : bound instanceof Inet6Address ? List.of("0.0.0.0", "::") : List.of("0.0.0.0")) {
            Future<AsynchronousSocketChannel> accept = listener.accept();
            AsynchronousSocketChannel client = channel(group(1));
            get(client.connect(new InetSocketAddress(wildcard, port)));
            AsynchronousSocketChannel server = closing(get(accept));
            assertEquals(new InetSocketAddress(wildcard, port), client.getRemoteAddress());
            assertEquals(loopback, ((InetSocketAddress) client.getLocalAddress()).getAddress());
            assertEquals(new InetSocketAddress(loopback, port), server.getLocalAddress());
            assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        }
    }

    @Test
    void wildcardIsTheLoopbackOfIpv4ForAChannelThatIsBoundThere() throws Exception {
        InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 0);
        var listener = closing(AsynchronousServerSocketChannel.open(group(1))).bind(loopback);
        AsynchronousSocketChannel client = channel(group(1)).bind(loopback);
        InetSocketAddress wildcard = new InetSocketAddress("0.0.0.0", port(listener));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        get(client.connect(wildcard));
        assertEquals(wildcard, client.getRemoteAddress());
        assertEquals(listener.getLocalAddress(), closing(get(accept)).getLocalAddress());
    }

    @Test
    void wildcardIsNotTheLoopbackOfTheOtherFamily() throws Exception {
        InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 0);
        var listener = closing(AsynchronousServerSocketChannel.open(group(1))).bind(loopback);
        var any = (InetSocketAddress)
                channel(group(1)).bind(new InetSocketAddress(0)).getLocalAddress();
        assumeTrue(any.getAddress() instanceof Inet6Address, "no IPv6");
        AsynchronousSocketChannel client = channel(group(1));
        assertThrown(
                ConnectException.class,
                "Connection refused",
                failure(client.connect(new InetSocketAddress("0.0.0.0", port(listener)))));
    }

    @Test
    void refusedConnectFailsAndClosesTheChannel() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Future<Void> connect = client.connect(unusedAddress());
        assertThrown(ConnectException.class, "Connection refused", failure(connect));
        assertFalse(client.isOpen());
        assertTrue(connect.isDone());
    }

    @Test
    void refusedConnectTellsTheHandlerAfterTheChannelIsClosed() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Told<Void> told = new Told<>();
        client.connect(unusedAddress(), null, told);
        assertThrown(ConnectException.class, "Connection refused", told.failure());
        assertFalse(client.isOpen());
    }

    @Test
    void whoIsToldThatAPendingConnectHasFailedFindsItsPortFree() throws Exception {
        ServerSocketChannel listener = silentListener();
        SocketAddress silent = listener.getLocalAddress();
        AsynchronousSocketChannel client = channel(group(1)).bind(testAddress(0));
        SocketAddress local = client.getLocalAddress();
        CompletableFuture<SocketAddress> bound = new CompletableFuture<>();
        client.connect(silent, null, new CompletionHandler<Void, Object>() {
            @Override
            public void completed(Void result, Object none) {
                bound.completeExceptionally(new AssertionError("connected"));
            }

            @Override
            public void failed(Throwable refused, Object none) {
                try (SocketChannel next = SocketChannel.open()) {
                    bound.complete(next.bind(local).getLocalAddress());
                } catch (IOException e) {
                    bound.completeExceptionally(e);
                }
            }
        });
        listener.close(); // Who asks once more, a second later, is refused.
        // Another process must not have the port by then: it would get the connection.
        closing(SocketChannel.open())
                .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                .bind(silent);
        assertEquals(local, get(bound));
    }

    @Test
    void connectToPortZeroIsRefused() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        assertThrown(ConnectException.class, "Connection refused", failure(client.connect(testAddress(0))));
    }

    @Test
    void secondConnectThrowsConnectionPending() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        InetSocketAddress silent = silentAddress();
        client.connect(silent);
        assertThrows(ConnectionPendingException.class, null, () -> client.connect(silent));
        assertThrows(ConnectionPendingException.class, null, () -> client.bind(null));
    }

    @Test
    void nothingElseIsPossibleWhileConnecting() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        client.connect(silentAddress());
        assertThrows(NotYetConnectedException.class, null, () -> client.read(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, null, () -> client.write(ByteBuffer.allocate(1)));
        assertNull(client.getRemoteAddress());
        assertNull(client.getLocalAddress());
    }

    @Test
    void closeDuringConnectFailsWithAsynchronousClose() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Future<Void> connect = client.connect(silentAddress());
        assertFalse(connect.isDone());
        client.close();
        assertThrown(AsynchronousCloseException.class, null, failure(connect));
    }

    @Test
    void closeDuringConnectTellsTheHandlerInAThreadOfTheGroup() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Told<Void> told = new Told<>();
        client.connect(silentAddress(), null, told);
        client.close();
        assertThrown(AsynchronousCloseException.class, null, told.failure());
        assertOfGroup(told);
    }

    @Test
    void cancelOfAConnectLeavesTheChannelOpen() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        Future<Void> connect = client.connect(silentAddress());
        assertTrue(connect.cancel(false));
        assertTrue(connect.isCancelled());
        assertTrue(connect.isDone());
        assertThrows(CancellationException.class, null, connect::get);
        assertTrue(client.isOpen());
    }

    @Test
    void forcefulCancelOfAConnectClosesTheChannel() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        assertTrue(client.connect(silentAddress()).cancel(true));
        assertFalse(client.isOpen());
    }

    @Test
    void operationsBeforeTheConnectThrowNotYetConnected() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        assertThrows(NotYetConnectedException.class, null, () -> client.read(ByteBuffer.allocate(1)));
        assertThrows(
                NotYetConnectedException.class, null, () -> client.read(ByteBuffer.allocate(1), null, new Told<>()));
        assertThrows(NotYetConnectedException.class, null, () -> client.write(ByteBuffer.allocate(0)));
        assertThrows(NotYetConnectedException.class, null, client::shutdownInput);
        assertThrows(NotYetConnectedException.class, null, client::shutdownOutput);
    }

    @Test
    void connectedChannelCannotConnectOrBindAgain() throws Exception {
        AsynchronousSocketChannel client = connected().local();
        assertThrows(AlreadyConnectedException.class, null, () -> client.connect(testAddress(1)));
        assertThrows(AlreadyBoundException.class, null, () -> client.bind(null));
    }

    @Test
    void addressesThatCannotBeConnectedToAreRefusedAtOnce() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        assertThrows(
                UnresolvedAddressException.class,
                null,
                () -> client.connect(InetSocketAddress.createUnresolved("nowhere", 1)));
        assertThrows(
                UnsupportedAddressTypeException.class,
                null,
                () -> client.connect(UnixDomainSocketAddress.of("/nowhere")));
        assertThrowsA(NullPointerException.class, () -> client.connect(null));
        assertTrue(client.isOpen());
        get(client.connect(listener(group(1)).getLocalAddress()));
    }

    @Test
    void connectOfAClosedChannelFailsThroughTheFuture() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        client.close();
        assertThrown(ClosedChannelException.class, null, failure(client.connect(testAddress(1))));
    }

    @Test
    void boundPortIsKept() throws Exception {
        AsynchronousSocketChannel client = channel(group(1)).bind(testAddress(0));
        InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
        assertTrue(local.getPort() > 0);
        assertThrows(AlreadyBoundException.class, null, () -> client.bind(testAddress(0)));
        get(client.connect(listener(group(1)).getLocalAddress()));
        assertEquals(local, client.getLocalAddress());
    }

    @Test
    void addressesAreThoseThatThePeerSees() throws Exception {
        AsynchronousSocketChannel fresh = channel(group(1));
        assertNull(fresh.getLocalAddress());
        assertNull(fresh.getRemoteAddress());
        AsynchronousLink link = connected();
        assertEquals(link.remote().remoteAddress(), link.local().getLocalAddress());
        assertEquals(link.remote().localAddress(), link.local().getRemoteAddress());
        AsynchronousLink accepted = acceptedFrom(Face.NIO, group(1));
        assertEquals(accepted.remote().remoteAddress(), accepted.local().getLocalAddress());
        assertEquals(accepted.remote().localAddress(), accepted.local().getRemoteAddress());
    }

    @Test
    void optionsAreKeptAndOthersRefused() throws Exception {
        AsynchronousSocketChannel client = channel(group(1));
        client.setOption(StandardSocketOptions.TCP_NODELAY, true).setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        get(client.connect(listener(group(1)).getLocalAddress()));
        assertTrue(client.getOption(StandardSocketOptions.TCP_NODELAY));
        assertTrue(client.getOption(StandardSocketOptions.SO_KEEPALIVE));
        client.setOption(StandardSocketOptions.TCP_NODELAY, false);
        assertFalse(client.getOption(StandardSocketOptions.TCP_NODELAY));
        assertFalse(client.supportedOptions().contains(StandardSocketOptions.SO_LINGER));
        assertThrows(
                UnsupportedOperationException.class,
                "'SO_LINGER' not supported",
                () -> client.setOption(StandardSocketOptions.SO_LINGER, 0));
        assertThrows(
                UnsupportedOperationException.class,
                "'IP_TOS' not supported",
                () -> client.getOption(StandardSocketOptions.IP_TOS));
        assertThrowsA(NullPointerException.class, () -> client.setOption(null, 1));
        assertThrows(
                IllegalArgumentException.class,
                "Invalid option value",
                () -> client.setOption(StandardSocketOptions.SO_SNDBUF, null));
        assertThrowsA(ClassCastException.class, () -> client.setOption(ofObjects(StandardSocketOptions.SO_SNDBUF), 1L));
        assertThrowsA(
                ClassCastException.class, () -> client.setOption(ofObjects(StandardSocketOptions.TCP_NODELAY), 1));
        client.close();
        for (Object value : new Object[] {null, 1L, -1}) {
            assertThrows(
                    ClosedChannelException.class,
                    null,
                    () -> client.setOption(ofObjects(StandardSocketOptions.SO_SNDBUF), value));
        }
    }

    /** Takes values of other types, too. */
    @SuppressWarnings("unchecked")
    private static SocketOption<Object> ofObjects(SocketOption<?> option) {
        return (SocketOption<Object>) option;
    }

    @Test
    void optionsOfAListenerReachAcceptedChannels() throws Exception {
        var listener = closing(java.nio.channels.AsynchronousServerSocketChannel.open(group(1)));
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(testAddress(0));
        assertTrue(listener.getOption(StandardSocketOptions.SO_REUSEADDR));
        assertThrows(
                UnsupportedOperationException.class,
                "'SO_KEEPALIVE' not supported",
                () -> listener.setOption(StandardSocketOptions.SO_KEEPALIVE, true));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        get(channel(group(1)).connect(listener.getLocalAddress()));
        AsynchronousSocketChannel accepted = closing(get(accept));
        assertTrue(accepted.getOption(StandardSocketOptions.SO_REUSEADDR));
    }

    @Test
    void closedChannelAnswersNothing() throws Exception {
        AsynchronousSocketChannel client = connected().local();
        client.close();
        client.close();
        assertFalse(client.isOpen());
        assertThrows(ClosedChannelException.class, null, client::getLocalAddress);
        assertThrows(ClosedChannelException.class, null, client::getRemoteAddress);
        assertThrows(ClosedChannelException.class, null, () -> client.getOption(StandardSocketOptions.SO_RCVBUF));
        assertThrows(ClosedChannelException.class, null, client::shutdownInput);
        assertThrows(ClosedChannelException.class, null, client::shutdownOutput);
        assertThrows(ClosedChannelException.class, null, () -> client.bind(null));
    }
}

package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connects, and accepts, that are refused before anything is tried. */
@Tag("usual")
class RefusedConnectsContract extends Contract {
    /** Later JDKs close a socket that has not been connected, and tell of closed channels what they are. */
    private static final boolean JDK_17 = Runtime.version().feature() == 17;

    private static final boolean STAYS_OPEN = Runtime.version().feature() < 24;

    @Test
    void addressIsLookedAtBeforeTheState() throws Exception {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        SocketChannel connected = connectedChannel().local();
        SocketChannel closed = SocketChannel.open();
        closed.close();
        for (SocketChannel channel : List.of(connected, closed)) {
            assertThrows(UnresolvedAddressException.class, null, () -> channel.connect(unresolved));
            assertThrowsA(NullPointerException.class, () -> channel.connect(null));
        }
    }

    @Test
    void closedChannelInBlockingModeIsClosedDuringTheCallForJdk17() throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.close();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.close();
        if (JDK_17) {
            assertThrows(AsynchronousCloseException.class, null, () -> channel.connect(testAddress(1)));
            assertThrows(AsynchronousCloseException.class, null, channel::finishConnect);
            assertThrows(AsynchronousCloseException.class, null, listener::accept);
        } else {
            assertThrowsA(ClosedChannelException.class, () -> channel.connect(testAddress(1)));
            assertThrowsA(ClosedChannelException.class, channel::finishConnect);
            assertThrowsA(ClosedChannelException.class, listener::accept);
        }
    }

    @Test
    void closedChannelInNonBlockingModeIsClosed() throws Exception {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.close();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.configureBlocking(false);
        listener.close();
        assertThrows(ClosedChannelException.class, null, () -> channel.connect(testAddress(1)));
        assertThrows(ClosedChannelException.class, null, channel::finishConnect);
        assertThrows(ClosedChannelException.class, null, listener::accept);
    }

    /** Of a socket that only looks open: its connect has closed what is behind it. */
    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // Programs may be wrong.
    void valueOfAnOptionIsLookedAtBeforeTheState() throws Exception {
        Socket socket = closing(new Socket());
        assertThrowsA(ConnectException.class, () -> socket.connect(unusedAddress()));
        assertEquals(STAYS_OPEN, !socket.isClosed());
        if (STAYS_OPEN) {
            SocketOption option = StandardSocketOptions.SO_RCVBUF;
            assertThrows(
                    IllegalArgumentException.class, "Invalid value 'much'", () -> socket.setOption(option, "much"));
            assertThrows(IllegalArgumentException.class, "Invalid value 'null'", () -> socket.setOption(option, null));
            assertThrows(SocketException.class, "Socket closed", () -> socket.setOption(option, 10_000));
        }
    }

    @Test
    void socketThatDoesNotFindTheHostStaysOpenUntilJdk24() throws Exception {
        Socket socket = closing(new Socket());
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        assertThrows(UnknownHostException.class, "nowhere.invalid", () -> socket.connect(unresolved));
        assertEquals(STAYS_OPEN, !socket.isClosed());
        if (STAYS_OPEN) {
            assertThrows(SocketException.class, "Socket is not connected", socket::getInputStream);
            socket.connect(listeningSocket().getLocalSocketAddress());
            assertTrue(socket.isConnected());
        }
    }
}

package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sockets that channels show of themselves, and the streams that {@code Channels} makes of them. */
@Tag("fallback")
@Tag("noagent")
class AdaptorContract extends Contract {
    @Test
    void adaptorBelongsToItsChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        assertSame(local.socket(), local.socket());
        assertSame(local, local.socket().getChannel());
        ServerSocketChannel listener = listeningChannel();
        assertSame(listener.socket(), listener.socket());
        assertSame(listener, listener.socket().getChannel());
        assertNull(connectedSocket().local().getChannel());
        assertNull(listeningSocket().getChannel());
    }

    @Test
    void adaptorStreamsTransfer() throws Exception {
        ChannelLink link = connectedChannel();
        Socket adaptor = link.local().socket();
        adaptor.getOutputStream().write(Pattern.bytes(0, 5000));
        link.remote().read(5000);
        link.remote().write(5000);
        Pattern.check(0, adaptor.getInputStream().readNBytes(5000), 0, 5000);
        link.remote().close();
        assertEquals(-1, adaptor.getInputStream().read());
    }

    @Test
    void adaptorAndChannelShareOneStream() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        Pattern.check(0, link.local().socket().getInputStream().readNBytes(50), 0, 50);
        readPattern(link.local(), 50, 100);
    }

    @Test
    void adaptorReadTimesOutAndLaterBytesAreRead() throws Exception {
        ChannelLink link = connectedChannel();
        Socket adaptor = link.local().socket();
        adaptor.setSoTimeout(60);
        InputStream in = adaptor.getInputStream();
        SocketTimeoutException timeout = assertThrowsA(SocketTimeoutException.class, in::read);
        assertEquals("Read timed out", timeout.getMessage());
        link.remote().write(10);
        Pattern.check(0, in.readNBytes(10), 0, 10);
        assertTrue(link.local().isOpen());
    }

    @Test
    void adaptorAcceptTimesOut() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        ServerSocket adaptor = listener.socket();
        adaptor.setSoTimeout(60);
        assertThrows(SocketTimeoutException.class, "Accept timed out", adaptor::accept);
        assertTrue(listener.isOpen());
    }

    @Test
    void adaptorAcceptsSocketsWithChannels() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        Socket accepted = closing(listener.socket().accept());
        assertTrue(accepted.getChannel().isConnected());
        client.write(Pattern.buffer(0, 10));
        Pattern.check(0, accepted.getInputStream().readNBytes(10), 0, 10);
    }

    @Test
    void adaptorOfANonBlockingChannelRefusesToBlock() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.configureBlocking(false);
        Socket adaptor = local.socket();
        assertThrows(
                IllegalBlockingModeException.class,
                null,
                () -> adaptor.getInputStream().read());
        assertThrows(
                IllegalBlockingModeException.class,
                null,
                () -> adaptor.getOutputStream().write(1));
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        assertThrowsA(
                IllegalBlockingModeException.class, () -> listener.socket().accept());
    }

    @Test
    void adaptorOfANonBlockingListenerAcceptsWhatIsThereUnlessItHasATimeOut() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        SocketChannel client = closing(SocketChannel.open(testAddress(port(listener))));
        listener.socket().setSoTimeout(Patience.NEVER_MS);
        assertThrowsA(
                IllegalBlockingModeException.class, () -> listener.socket().accept());
        listener.socket().setSoTimeout(0);
        transport().awaitOthers();
        Socket accepted = closing(listener.socket().accept());
        assertEquals(client.getLocalAddress(), accepted.getRemoteSocketAddress());
        assertThrowsA(
                IllegalBlockingModeException.class, () -> listener.socket().accept());
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "skip", "readAllBytes"})
    void interruptOfWhoWaitsInTheStreamClosesTheChannel(String method) throws Exception {
        ChannelLink link = connectedChannel();
        InputStream in = link.local().socket().getInputStream();
        Background<Object> waiting = Background.start(() -> switch (method) {
            case "read" -> in.read();
            case "skip" -> in.skip(10);
            default -> in.readAllBytes();
        });
        waiting.awaitBlockedIn("read").thread().interrupt();
        assertThrown(ClosedByInterruptException.class, null, waiting);
        assertFalse(link.local().isOpen());
        assertThrowsA(ClosedChannelException.class, () -> link.local().configureBlocking(true));
    }

    @Test
    void closingTheAdaptorClosesTheChannel() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().socket().close();
        assertFalse(link.local().isOpen());
        assertTrue(link.local().socket().isClosed());
        assertEquals(0, link.remote().readToEnd());
        ServerSocketChannel listener = listeningChannel();
        listener.socket().close();
        assertFalse(listener.isOpen());
    }

    @Test
    void adaptorConnectsItsChannel() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        assertFalse(channel.socket().isConnected());
        channel.socket().connect(testAddress(port(listener)), 5000);
        assertTrue(channel.isConnected());
        assertTrue(channel.socket().isBound());
        assertEquals(port(listener), channel.socket().getPort());
    }

    @Test
    void adaptorOfAConnectedChannelLooksAtTheAddressFirst() throws Exception {
        Socket adaptor = connectedChannel().local().socket();
        assertThrows(IllegalArgumentException.class, "connect: The address can't be null", () -> adaptor.connect(null));
        assertThrows(
                SocketException.class,
                "Unsupported address type",
                () -> adaptor.connect(UnixDomainSocketAddress.of("/nowhere")));
        assertTrue(adaptor.isConnected());
    }

    @Test
    void adaptorOfAConnectedChannelStaysConnectedWhateverItIsAskedToConnectTo() throws Exception {
        Socket adaptor = connectedChannel().local().socket();
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere", 1);
        assertThrowsA(Exception.class, () -> adaptor.connect(unresolved, -1));
        assertTrue(adaptor.isConnected());
    }

    @Test
    void closedAdaptorTellsEveryInterruptedThreadTheSame() throws Exception {
        Set<Class<?>> told = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            Socket adaptor = SocketChannel.open().socket();
            adaptor.close();
            told.add(Background.start(() -> {
                        Thread.currentThread().interrupt();
                        return assertThrowsA(IOException.class, () -> adaptor.connect(testAddress(1)))
                                .getClass();
                    })
                    .result());
        }
        assertEquals(1, told.size(), told::toString);
    }

    @Test
    void adaptorShutsDownDirections() throws Exception {
        ChannelLink link = connectedChannel();
        Socket adaptor = link.local().socket();
        adaptor.shutdownOutput();
        assertTrue(adaptor.isOutputShutdown());
        assertEquals(0, link.remote().readToEnd());
        adaptor.shutdownInput();
        assertTrue(adaptor.isInputShutdown());
        assertThrows(SocketException.class, "Socket input is shutdown", adaptor::getInputStream);
    }

    @Test
    void shutdownDuringAWriteOfTheAdaptorIsABrokenPipe() throws Exception {
        SocketChannel local = connectedChannel().local();
        OutputStream out = local.socket().getOutputStream();
        Background<Object> write = Background.start(() -> {
                    assertThrows(IOException.class, "Broken pipe", () -> out.write(new byte[64 << 20]));
                    return null;
                })
                .awaitBlockedIn("write");
        local.shutdownOutput();
        write.result();
        assertThrows(ClosedChannelException.class, null, () -> out.write(1));
    }

    @Test
    void adaptorTellsTheAddressesOfItsChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        assertEquals(local.getLocalAddress(), local.socket().getLocalSocketAddress());
        assertEquals(local.getRemoteAddress(), local.socket().getRemoteSocketAddress());
    }

    @Test
    void streamsMadeByChannelsTransfer() throws Exception {
        ChannelLink link = connectedChannel();
        var out = Channels.newOutputStream(link.local());
        var in = Channels.newInputStream(link.local());
        out.write(Pattern.bytes(0, 100_000));
        link.remote().read(100_000);
        link.remote().startWrite(100_000);
        Pattern.check(0, in.readNBytes(100_000), 0, 100_000);
        link.remote().close();
        assertEquals(-1, in.read());
    }

    @Test
    void closeOfTheChannelEndsAReadThroughItsAdaptor() throws Exception {
        SocketChannel local = connectedChannel().local();
        Background<Integer> read = startRead(local.socket());
        local.close();
        assertTrue(read.thrown() instanceof IOException);
    }
}

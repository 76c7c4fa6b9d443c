package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ending one direction of a connection, over both faces and from both sides. */
@Tag("placed")
class HalfCloseContract extends Contract {
    @Test
    void channelReadsOnAfterItsOutputIsShutDown() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().write(Pattern.buffer(0, 100));
        assertSame(link.local(), link.local().shutdownOutput());
        assertEquals(100, link.remote().readToEnd());
        link.remote().startWrite(50_000);
        readPattern(link.local(), 0, 50_000);
    }

    @Test
    void channelWritesOnAfterThePeersOutputIsShutDown() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(100);
        link.remote().shutdownOutput();
        readPattern(link.local(), 0, 100);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(200, link.local().write(Pattern.buffer(0, 200)));
        link.remote().read(200);
    }

    @Test
    void bothSidesShutDownTheirOutputsAndTheConnectionEndsInOrder() throws Exception {
        ChannelLink link = acceptedChannel();
        link.local().write(Pattern.buffer(0, 10));
        link.local().shutdownOutput();
        link.remote().write(20);
        link.remote().shutdownOutput();
        assertEquals(10, link.remote().readToEnd());
        readPattern(link.local(), 0, 20);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertTrue(link.local().isConnected());
    }

    @Test
    void channelWriteAfterItsOutputIsShutDownThrowsClosedChannel() throws Exception {
        SocketChannel local = connectedChannel().local();
        local.shutdownOutput();
        local.shutdownOutput();
        assertThrowsA(ClosedChannelException.class, () -> local.write(ByteBuffer.allocate(1)));
        assertTrue(local.isOpen());
    }

    @Test
    void channelReadAfterItsInputIsShutDownReturnsTheEnd() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().shutdownInput();
        link.local().shutdownInput();
        assertEquals(-1, link.local().read(ByteBuffer.allocate(1)));
        assertEquals(-1, link.local().read(ByteBuffer.allocateDirect(1)));
        assertEquals(10, link.local().write(Pattern.buffer(0, 10)));
        link.remote().read(10);
    }

    @Test
    void shutdownOfTheInputEndsABlockedChannelRead() throws Exception {
        SocketChannel local = connectedChannel().local();
        Background<Integer> read = startRead(local);
        local.shutdownInput();
        assertEquals(-1, read.result());
    }

    @Test
    void socketReadsOnAfterItsOutputIsShutDown() throws Exception {
        SocketLink link = connectedSocket();
        link.local().getOutputStream().write(Pattern.bytes(0, 100));
        link.local().shutdownOutput();
        assertTrue(link.local().isOutputShutdown());
        assertFalse(link.local().isInputShutdown());
        assertEquals(100, link.remote().readToEnd());
        link.remote().write(300);
        link.remote().close();
        byte[] received = link.local().getInputStream().readAllBytes();
        assertEquals(300, received.length);
        Pattern.check(0, received, 0, 300);
    }

    @Test
    void socketReadAfterItsInputIsShutDownReturnsTheEnd() throws Exception {
        SocketLink link = connectedSocket();
        link.local().shutdownInput();
        assertTrue(link.local().isInputShutdown());
        assertThrows(SocketException.class, "Socket input is shutdown", link.local()::getInputStream);
    }

    @Test
    void inputStreamOfAShutDownInputIsAtItsEndAndHasNothingAvailable() throws Exception {
        SocketLink link = connectedSocket();
        var in = link.local().getInputStream();
        link.local().shutdownInput();
        assertEquals(-1, in.read());
        assertEquals(0, in.available());
    }

    @Test
    void socketOutputStreamAfterShutdownIsRefused() throws Exception {
        Socket local = connectedSocket().local();
        var out = local.getOutputStream();
        local.shutdownOutput();
        assertThrows(SocketException.class, "Socket output is shutdown", local::getOutputStream);
        assertThrows(SocketException.class, "Socket output is already shutdown", local::shutdownOutput);
        assertThrowsA(IOException.class, () -> out.write(1));
    }

    @Test
    void secondShutdownOfASocketsInputIsRefused() throws Exception {
        Socket local = connectedSocket().local();
        local.shutdownInput();
        assertThrows(SocketException.class, "Socket input is already shutdown", local::shutdownInput);
    }

    @Test
    void shutdownOfAnUnconnectedOrClosedSocketIsRefused() throws Exception {
        Socket socket = new Socket();
        assertThrows(SocketException.class, "Socket is not connected", socket::shutdownOutput);
        assertThrows(SocketException.class, "Socket is not connected", socket::shutdownInput);
        socket.close();
        assertThrows(SocketException.class, "Socket is closed", socket::shutdownOutput);
        assertThrows(SocketException.class, "Socket is closed", socket::shutdownInput);
    }

    @Test
    void shutdownOfTheInputEndsABlockedSocketRead() throws Exception {
        Socket local = connectedSocket().local();
        Background<Integer> read = startRead(local);
        local.shutdownInput();
        assertEquals(-1, read.result());
    }

    @Test
    void bytesWrittenBeforeShutdownAllArriveThoughThePeerReadsLate() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        long filled = fill(link.local(), 0);
        link.local().shutdownOutput();
        assertEquals(filled, link.remote().readToEnd());
    }

    @Test
    void bytesWrittenBeforeCloseAllArriveThoughThePeerReadsLate() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        long filled = fill(link.local(), 0);
        link.local().close();
        assertEquals(filled, link.remote().readToEnd());
    }
}

package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class KernelTcpTest {
    @Test
    void connectionThatTakesNoMoreTakesNothingLater() throws Exception {
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel writer = SocketChannel.open(listener.getLocalAddress());
                SocketChannel reader = listener.accept()) {
            assertTrue(KernelTcp.knows(writer));
            assertTrue(KernelTcp.knows(reader));
            writer.configureBlocking(false);
            KernelTcp.fill(writer, written -> ByteBuffer.allocate(32 * 1024));
            for (int i = 0; i < 3; i++) {
                assertFalse(KernelTcp.makesRoom(writer));
                assertEquals(0, writer.write(ByteBuffer.allocate(1)));
            }
        }
    }
}

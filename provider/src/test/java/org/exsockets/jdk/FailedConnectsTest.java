package org.exsockets.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As the JDK that runs this says it of TCP. */
class FailedConnectsTest {
    /** Bound, but not listening: nobody else listens there. */
    private final SocketChannel bound;

    private InetSocketAddress refusing;

    FailedConnectsTest() throws Exception {
        bound = JdkChannels.provider().openSocketChannel();
    }

    @BeforeEach
    void bind() throws Exception {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        refusing = (InetSocketAddress) bound.getLocalAddress();
    }

    @AfterEach
    void close() throws Exception {
        bound.close();
    }

    @Test
    void aChannelSaysWhatTheJdksSays() throws Exception {
        assertEquals(refusedChannel().getMessage(), FailedConnects.message("Connection refused"));
    }

    @Test
    void anAsynchronousChannelSaysWhatTheJdksSays() throws Exception {
        Throwable told;
        try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open()) {
            told = assertThrows(
                            ExecutionException.class,
                            () -> channel.connect(refusing).get())
                    .getCause();
        }
        SocketException ours = FailedConnects.asynchronous(refusedChannel());
        assertSame(told.getClass(), ours.getClass());
        assertEquals(told.getMessage(), ours.getMessage());
    }

    @Test
    void theKindOfFailureStays() {
        String message = FailedConnects.message("why");
        assertInstanceOf(
                NoRouteToHostException.class, FailedConnects.asynchronous(new NoRouteToHostException(message)));
        SocketException other = FailedConnects.asynchronous(new SocketException(message));
        assertSame(SocketException.class, other.getClass());
        assertEquals("why", other.getMessage());
    }

    @Test
    void whatDoesNotNameTheCallStaysAsItIs() {
        for (String message : new String[] {null, "", "Connection refused"}) {
            SocketException told = new ConnectException(message);
            assertSame(told, FailedConnects.asynchronous(told));
        }
    }

    private SocketException refusedChannel() throws Exception {
        try (SocketChannel channel = JdkChannels.provider().openSocketChannel();
                Selector selector = JdkChannels.openSelector()) {
            channel.configureBlocking(false);
            return assertThrows(ConnectException.class, () -> {
                if (!channel.connect(refusing)) {
                    channel.register(selector, SelectionKey.OP_CONNECT);
                    selector.select();
                    channel.finishConnect();
                }
            });
        }
    }
}

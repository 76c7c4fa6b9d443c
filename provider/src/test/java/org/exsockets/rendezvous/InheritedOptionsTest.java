package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.exsockets.jdk.JdkChannels;
import org.junit.jupiter.api.Test;

class InheritedOptionsTest {
    private static Map<SocketOption<?>, Object> applied(InheritedOptions options) throws IOException {
        Map<SocketOption<?>, Object> applied = new HashMap<>();
        options.applyTo(applied::put);
        return applied;
    }

    @Test
    void flagsAndBufferSizesAreKept() throws IOException {
        InheritedOptions kept = InheritedOptions.NONE
                .keeping(StandardSocketOptions.TCP_NODELAY, true)
                .keeping(StandardSocketOptions.SO_SNDBUF, 5000)
                .keeping(StandardSocketOptions.SO_RCVBUF, 6000)
                .keeping(StandardSocketOptions.SO_SNDBUF, 7000);
        assertEquals(
                Map.of(
                        StandardSocketOptions.TCP_NODELAY, true,
                        StandardSocketOptions.SO_SNDBUF, 7000,
                        StandardSocketOptions.SO_RCVBUF, 6000),
                applied(kept));
        assertEquals(6000, kept.receiveBufferBytes());
    }

    @Test
    void whatASocketMightRefuseIsNotKept() {
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.SO_SNDBUF, 0));
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.SO_RCVBUF, -1));
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.SO_RCVBUF, null));
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.TCP_NODELAY, 1));
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.SO_LINGER, 1));
        assertNull(InheritedOptions.NONE.keeping(StandardSocketOptions.IP_TOS, 1));
    }

    @Test
    void whatWasNotSetIsWhatAFreshSocketTells() throws IOException {
        try (SocketChannel fresh = JdkChannels.openSocketChannel(null)) {
            for (SocketOption<?> name : new SocketOption<?>[] {
                StandardSocketOptions.SO_SNDBUF,
                StandardSocketOptions.SO_RCVBUF,
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_KEEPALIVE
            }) {
                assertEquals(fresh.getOption(name), InheritedOptions.NONE.known(name), name.toString());
            }
        }
        assertNull(InheritedOptions.NONE.known(StandardSocketOptions.SO_LINGER));
        assertNull(InheritedOptions.NONE.known(StandardSocketOptions.SO_REUSEADDR));
    }

    @Test
    void whatABufferComesToThatWasSetOnlyASocketKnows() {
        InheritedOptions inherited = InheritedOptions.NONE.with(StandardSocketOptions.SO_RCVBUF, 6000);
        assertNull(inherited.known(StandardSocketOptions.SO_RCVBUF));
        assertNotNull(inherited.known(StandardSocketOptions.SO_SNDBUF));
        assertEquals(
                true,
                inherited.keeping(StandardSocketOptions.SO_KEEPALIVE, true).known(StandardSocketOptions.SO_KEEPALIVE));
    }
}

package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenerNamesTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,    false, exs/10.3/7f000001/80",
        "192.168.1.20, true,  exs/10.3/c0a80114/80",
        "::1,          true,  exs/10.3/00000000000000000000000000000001/80",
        "0.0.0.0,      false, exs/10.3/any4/80",
        "0.0.0.0,      true,  exs/10.3/any6/80",
        "::,           true,  exs/10.3/any6/80",
    })
    void aListenerIsNamedAfterItsAddress(String host, boolean dualStack, String name) throws IOException {
        assertEquals(name, text(ListenerNames.of(at(host, 80), dualStack, 3)));
    }

    @Test
    void aDestinationLeadsToItsAddressThenToWildcardsThatReachIt() throws IOException {
        assertEquals(
                List.of("exs/10.1/7f000001/65535", "exs/10.1/any6/65535", "exs/10.1/any4/65535"),
                names(at("127.0.0.1", 65_535)));
        assertEquals(
                List.of("exs/10.1/fd000000000000000000000000010002/1", "exs/10.1/any6/1"), names(at("fd00::1:2", 1)));
    }

    @Test
    void theLongestNameIsNoLongerThanTheKernelTakes() throws IOException {
        byte[] longest =
                ListenerNames.of(at("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 65_535), false, Integer.MAX_VALUE);
        assertTrue(longest.length <= UnixSockets.MAX_NAME, longest.length + " bytes");
    }

    @Test
    void whoListensIsFoundAmongTheSocketsOfTheNamespace() throws IOException {
        DescriptorPoll.require();
        try (ServerSocket port = new ServerSocket(0)) {
            InetSocketAddress to = at("127.0.0.1", port.getLocalPort());
            assertFalse(ListenerNames.anybodyListens(to, 1));
            LocalSocket listener = LocalSocket.listen(ListenerNames.of(at("0.0.0.0", to.getPort()), false, 1), 1);
            assertTrue(ListenerNames.anybodyListens(to, 1));
            assertFalse(ListenerNames.anybodyListens(to, 2));
            assertFalse(ListenerNames.anybodyListens(at("::1", to.getPort()), 1));
            listener.close();
            assertFalse(ListenerNames.anybodyListens(to, 1));
        }
    }

    private static List<String> names(InetSocketAddress destination) {
        return ListenerNames.reachedBy(destination, 1).stream()
                .map(ListenerNamesTest::text)
                .toList();
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.US_ASCII);
    }

    private static InetSocketAddress at(String host, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }
}

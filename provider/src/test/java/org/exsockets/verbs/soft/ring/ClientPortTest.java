package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.exsockets.memory.Words;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SegmentFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientPortTest {
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();
    private static final int SERVER_PORT = 7801;
    private static final int SLOTS = 8;
    private static final int REGION_BYTES = 4096;

    private Segment segment;
    private ByteBuffer memory;
    private ClientPort a;
    private ClientPort b;

    @BeforeEach
    void createSegment() throws IOException {
        segment = SegmentFixture.newSegment(SLOTS, REGION_BYTES, 0);
        memory = segment.mapping().memory();
        connect();
    }

    @AfterEach
    void removeSegment() throws IOException {
        a.end();
        b.end();
        segment.mapping().unmap();
    }

    private void connect() {
        segment.reset(1);
        a = new ClientPort(Words.of(memory), true, HOST, SERVER_PORT);
        b = new ClientPort(Words.of(memory), false, HOST, SERVER_PORT);
    }

    private int word() {
        return Words.of(memory).intAcquire(SegmentDescriptor.PORT_OFFSET);
    }

    @Test
    void thereIsNoPortUntilSomebodyAsks() {
        assertEquals(0, word());
    }

    @Test
    void aClientThatIsAskedKeepsItsPortFromOthersUntilItLetsGo() throws IOException {
        InetSocketAddress address = a.address();
        assertEquals(HOST, address.getAddress());
        assertThrows(BindException.class, () -> new ServerSocket(address.getPort()).close());
        assertEquals(address, b.address());
        b.end();
        assertThrows(BindException.class, () -> new ServerSocket(address.getPort()).close());
        a.end();
        new ServerSocket(address.getPort()).close();
        assertEquals(address, a.address());
    }

    @Test
    void whatAServerHasToldFirstIsKeptFromNoServiceThatIsAboutToStart() throws IOException {
        int number = ClientPorts.INSTANCE.take(SERVER_PORT);
        assumeTrue(number != 0, "Linux gives away almost all ports here");
        ClientPorts.INSTANCE.giveBack(number);
        while (!canBeBound(b.address().getPort())) {
            b.end();
            connect();
        }
        int port = b.address().getPort();
        assertEquals(port, a.address().getPort());
        assertTrue(canBeBound(port), "port " + port);
    }

    private static boolean canBeBound(int port) throws IOException {
        try (ServerSocket service = new ServerSocket(port)) {
            return service.isBound();
        } catch (BindException another) {
            return false;
        }
    }

    @Test
    void aServerThatIsAskedTakesANumberThatNoOtherOfItsConnectionsHas() {
        Set<Integer> ports = new HashSet<>();
        List<ClientPort> open = new ArrayList<>();
        try {
            for (int i = 0; i < 500; i++) {
                InetSocketAddress address = b.address();
                assertTrue(ports.add(address.getPort()), "two clients at port " + address.getPort());
                assertEquals(address, a.address());
                open.add(a);
                open.add(b);
                connect();
            }
        } finally {
            open.forEach(ClientPort::end);
        }
    }

    @Test
    void whatIsAskedForTheFirstTimeAfterTheOtherEndHasLetGoIsWhatThatTellsAfterwards() {
        a.end();
        assertEquals(b.address(), a.address());
        connect();
        b.end();
        assertEquals(a.address(), b.address());
    }

    @Test
    void endsThatHaveBothLetGoTellTheSame() {
        b.end();
        a.end();
        assertEquals(a.address(), b.address());
        assertTrue(a.address().getPort() > 0);
    }

    @Test
    void theNextConnectionOverTheSegmentHasAnotherPort() {
        a.end();
        b.end();
        InetSocketAddress before = a.address();
        connect();
        a.end();
        assertNotEquals(before, a.address());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE, 80, 65_535, 1 << 17 | 80})
    void anythingThatThePeerWritesIsAPort(int word) {
        Words.of(memory).intRelease(SegmentDescriptor.PORT_OFFSET, word);
        int port = a.address().getPort();
        assertEquals(word & 0xffff, port);
        assertEquals(port, b.address().getPort());
        a.end();
        assertEquals(port, a.address().getPort());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 1 << 16})
    void aWordWithoutAPortIsNotBelieved(int word) {
        Words.of(memory).intRelease(SegmentDescriptor.PORT_OFFSET, word);
        assertTrue(b.address().getPort() > 0);
        assertTrue(a.address().getPort() > 0);
    }

    @Test
    void endsThatAreAskedAtTheSameTimeTellTheSame() throws Exception {
        for (int i = 0; i < 300; i++) {
            CountDownLatch both = new CountDownLatch(2);
            boolean letsGo = i % 2 == 0;
            ClientPort first = a;
            ClientPort second = b;
            FutureTask<InetSocketAddress> other = new FutureTask<>(() -> {
                both.countDown();
                both.await();
                return first.address();
            });
            Thread thread = new Thread(other, "first");
            thread.start();
            both.countDown();
            both.await();
            if (letsGo) {
                second.end();
            }
            assertEquals(second.address(), other.get());
            thread.join();
            a.end();
            b.end();
            connect();
        }
    }
}

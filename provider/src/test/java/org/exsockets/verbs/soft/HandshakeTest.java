package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.exsockets.config.Settings;
import org.exsockets.observe.Log;
import org.exsockets.progress.ProgressThread;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the listener's Unix-domain socket that do not do what {@link SoftDevice} does. */
class HandshakeTest extends SoftFixture {
    private static final String SEGMENT = "s1-1-1-7e57";
    private static final long PROOF = 0x0123456789abcdefL;
    private static final int MAX_SILENT = 64;

    private final List<SocketChannel> clients = new ArrayList<>();

    @BeforeAll
    static void keepRefusalsOutOfTheLog() {
        Log.configure(Settings.read(Map.of("log", "error"), name -> null, Set.of(), Map.of()));
    }

    @AfterAll
    static void restoreLog() {
        Log.configure(Settings.defaults());
    }

    @AfterEach
    void closeClients() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    @BeforeEach
    void attend() {
        listener().attend(ProgressThread.background(), () -> {});
    }

    @Test
    void aHelloWithItsSegmentIsAccepted() throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        SocketChannel client = rawClient();
        client.write(hello());
        Endpoint accepted = accept(listener());
        assertEquals(client(1), accepted.remoteSocketAddress());
        assertEquals(address(), accepted.localAddress());
        assertEquals(DEPTH, accepted.receiveDepth());
        assertEquals(EXPOSED_BYTES, accepted.remoteLength());
    }

    @ParameterizedTest
    @CsvSource({
        // offset, bytes, value: what is wrong
        "0,  4, 0x45585349", // magic
        "4,  2, 2", // oldest version: too new
        "6,  2, 0", // newest version: too old
        "8,  4, 0", // slots
        "8,  4, 2",
        "8,  4, 12",
        "8,  4, 4096",
        "8,  4, -8",
        "8,  4, 16", // good, but not the segment's
        "12, 4, 0", // region
        "12, 4, 2048",
        "12, 4, 4097",
        "12, 4, 134217728",
        "12, 4, -2147483648",
        "12, 4, 8192", // good, but not the segment's
        "18, 2, 1", // another port
        "20, 4, -1073741311", // 192.0.2.1: no client of this host has it
        "36, 4, 0x7f000002", // another address
        "52, 1, 5", // families
        "53, 1, 0",
        "53, 1, 6", // the same bytes as an IPv6 address
        "54, 1, 12", // a reserve, no more than a region
        "54, 1, 13", // good, but not the segment's
        "54, 1, 27", // too much
        "54, 1, 31",
        "96, 4, 1", // proof
        "100, 4, 1"
    })
    void aHelloWithAWrongFieldIsRefused(int offset, int length, String value) throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        ByteBuffer hello = hello();
        int number = Integer.decode(value);
        switch (length) {
            case 1 -> hello.put(offset, (byte) number);
            case 2 -> hello.putShort(offset, (short) number);
            default -> hello.putInt(offset, number);
        }
        assertRefused(hello);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "s1-1-1-ab5e",
                "t1-1-1-7e57",
                "/etc/passwd",
                "../" + SEGMENT,
                "s/../" + SEGMENT,
                "s1/x",
                "..",
                "s\u0007",
                "s1-1-1-1",
                "s1-1-1-d",
                "snone",
                "s1-1-7e57",
                "s1-1-1-1-7e57",
                "s-1-1-7e57",
                "s1-1--7e57",
                "s1-1-1-",
                "s1-1-1-test"
            })
    void aHelloNamesAPlainFileThatCanBeASegmentOrIsRefused(String name) throws Exception {
        int length = SegmentDescriptor.length(DEPTH, EXPOSED_BYTES);
        createSegment(length);
        Files.copy(memory.directory().resolve(SEGMENT), memory.root().resolve(SEGMENT));
        for (String other : List.of("t1-1-1-7e57", "snone", "s1-1-7e57", "s1-1-1-1-7e57", "s-1-1-7e57", "s1-1--7e57")) {
            Files.copy(memory.directory().resolve(SEGMENT), memory.directory().resolve(other));
        }
        Files.createSymbolicLink(
                memory.directory().resolve("s1-1-1-1"), memory.root().resolve(SEGMENT));
        Files.createDirectory(memory.directory().resolve("s1-1-1-d"));
        ByteBuffer hello = hello().put(HelloDescriptor.SEGMENT_OFFSET, new byte[HelloDescriptor.SEGMENT_LENGTH]);
        for (int i = 0; i < name.length(); i++) {
            hello.put(HelloDescriptor.SEGMENT_OFFSET + i, (byte) name.charAt(i));
        }
        assertRefused(hello);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, -1})
    void aSegmentOfAnotherLengthIsRefused(int difference) throws Exception {
        int length = SegmentDescriptor.length(DEPTH, EXPOSED_BYTES);
        createSegment(difference == 0 ? 0 : length + difference);
        assertRefused(hello());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "8, 7", "8, 9", "12, 4096", "16, 16", "20, 8192", "24, 1", "28, 1", "40, 8192"})
    void aSegmentWithAnotherHeadIsRefused(int offset, int value) throws Exception {
        Path file = createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(offset, value);
        Files.write(file, bytes);
        assertRefused(hello());
    }

    @Test
    void whoComesBackWithAMappedSegmentProvesThatItIsHis() throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        rawClient().write(hello());
        Endpoint first = accept(listener());
        first.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        first.release();

        rawClient().write(hello());
        Endpoint second = accept(listener());
        second.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        second.release();

        assertRefused(hello().putLong(HelloDescriptor.PROOF_OFFSET, PROOF + 1));
    }

    @Test
    void aSegmentInUseThatIsNamedAgainIsMappedOnceMoreAndThenOnlyOnce() throws Exception {
        Path file = createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        List<Endpoint> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            rawClient().write(hello());
            both.add(accept(listener()));
        }
        for (Endpoint each : both) {
            each.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            each.release();
        }
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            assertEquals(
                    1, mappings.filter(each -> each.contains(file.toString())).count());
        }
    }

    @Test
    void garbageIsRefused() throws Exception {
        assertRefused(ByteBuffer.wrap(bytes(HelloDescriptor.LENGTH, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 103})
    void aClientThatClosesTooEarlyIsSkipped(int length) throws Exception {
        SocketChannel client = rawClient();
        client.write(hello().limit(length));
        client.close();
        Endpoint a = connectOnly(PARAMETERS);
        assertEquals(a.localAddress(), accept(listener()).remoteSocketAddress());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 103})
    void aLateHelloIsTakenWhenItComesAndHoldsUpNobody(int early) throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        AtomicInteger told = new AtomicInteger();
        listener().attend(ProgressThread.background(), told::incrementAndGet);
        SocketChannel late = rawClient();
        ByteBuffer hello = hello();
        late.write(hello.limit(early));
        assertNull(listener().tryAccept());
        Endpoint other = connectOnly(PARAMETERS);
        assertEquals(other.localAddress(), accept(listener()).remoteSocketAddress());
        assertFalse(listener().hasLate());

        late.write(hello.limit(HelloDescriptor.LENGTH));
        waitFor(() -> told.get() == 0 ? null : true);
        assertTrue(listener().hasLate());
        assertEquals(client(1), accept(listener()).remoteSocketAddress());
        assertFalse(listener().hasLate());
        assertEquals(1, told.get());
    }

    @Test
    void aListenerIsNotConfirmedReadyBeforeTheHelloOfAClientIsComplete() throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        SocketChannel late = rawClient();
        ByteBuffer hello = hello();
        late.write(hello.limit(1));
        assertFalse(listener().confirmReady());
        late.write(hello.limit(HelloDescriptor.LENGTH));
        waitFor(() -> listener().hasLate() ? true : null);
        assertTrue(listener().confirmReady());
        assertEquals(client(1), accept(listener()).remoteSocketAddress());
        assertFalse(listener().confirmReady());

        Endpoint prompt = connectOnly(PARAMETERS);
        waitFor(() -> listener().confirmReady() ? true : null);
        assertTrue(listener().hasLate());
        assertEquals(prompt.localAddress(), accept(listener()).remoteSocketAddress());
    }

    @Test
    void whoIsSilentWhenTheListenerClosesSeesItGo() throws Exception {
        SocketChannel late = rawClient();
        assertNull(listener().tryAccept());
        listener().close();
        assertEnds(late);
    }

    @Test
    void noMoreThanSomeClientsAreWaitedFor() throws Exception {
        for (int i = 0; i < MAX_SILENT; i++) {
            rawClient();
            assertNull(listener().tryAccept());
        }
        SocketChannel tooMany = rawClient();
        assertNull(listener().tryAccept());
        assertEnds(tooMany);
    }

    @Test
    void aCallTakesABoundedNumberOfSilentClientsOffTheBacklog() throws Exception {
        for (int i = 0; i < 20; i++) {
            rawClient();
        }
        Endpoint behind = connectOnly(PARAMETERS);
        assertNull(listener().tryAccept());
        assertEquals(behind.localAddress(), accept(listener()).remoteSocketAddress());
    }

    @Test
    void whereNobodyWaitsForLateHellosTheNextCallLooks() throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        InetSocketAddress other = new InetSocketAddress(host(), 20_000);
        try (DeviceListener alone = device().listen(other, false, 50, PARAMETERS)) {
            SocketChannel late = rawClient("20000");
            assertNull(alone.tryAccept());
            late.write(hello(other));
            assertEquals(client(1), accept(alone).remoteSocketAddress());
        }
    }

    /** Each look takes a bounded number of bytes: others wait to be looked at, too. */
    @Test
    void aDoorbellThatIsRungWithoutEndIsLeftInBetween() throws Exception {
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
        SocketChannel client = rawClient();
        client.write(hello());
        CompletionChannel bell = accept(listener()).queuePair().completionChannel();
        client.write(ByteBuffer.allocate(1_000));
        assertEquals(CompletionChannel.EVENT, bell.drain());
        assertEquals(CompletionChannel.EVENT, bell.drain());
        client.close();
        waitFor(() -> (bell.drain() & CompletionChannel.HANGUP) != 0 ? true : null);
    }

    private void assertRefused(ByteBuffer hello) throws Exception {
        SocketChannel client = rawClient();
        client.write(hello);
        assertNull(listener().tryAccept());
        assertEnds(client);
        Endpoint next = connectOnly(PARAMETERS);
        assertNotNull(accept(listener()));
        assertFalse(next.queuePair().inError());
    }

    private static void assertEnds(SocketChannel client) throws IOException {
        try {
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        } catch (IOException reset) {
            assertEquals("Connection reset by peer", reset.getMessage());
        }
    }

    private SocketChannel rawClient() throws IOException {
        return rawClient("-" + address().getPort());
    }

    /** @param end of the name of the listener */
    private SocketChannel rawClient(String end) throws IOException {
        String name = memory.names("l").stream()
                .filter(each -> each.endsWith(end))
                .findFirst()
                .orElseThrow();
        SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
        clients.add(client);
        client.connect(UnixDomainSocketAddress.of(memory.directory().resolve(name)));
        return client;
    }

    private ByteBuffer hello() throws IOException {
        return hello(address());
    }

    private ByteBuffer hello(InetSocketAddress to) throws IOException {
        InetSocketAddress from = client(1);
        return HelloDescriptor.encode(
                new HelloDescriptor.Hello(1, 1, DEPTH, EXPOSED_BYTES, 0, from, to, SEGMENT, PROOF));
    }

    private Path createSegment(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.max(length, SegmentDescriptor.ARRIVALS_OFFSET))
                .order(ByteOrder.nativeOrder());
        bytes.putLong(0, SegmentDescriptor.MAGIC)
                .putInt(8, SegmentDescriptor.LAYOUT)
                .putInt(12, SegmentDescriptor.length(DEPTH, EXPOSED_BYTES))
                .putInt(16, DEPTH)
                .putInt(20, EXPOSED_BYTES)
                .putLong(24, PROOF)
                .putInt(32, 1)
                .putLong(128 + 128, DEPTH)
                .putLong(512 + 128, DEPTH);
        byte[] content = new byte[length];
        bytes.get(0, content);
        return Files.write(memory.directory().resolve(SEGMENT), content);
    }
}

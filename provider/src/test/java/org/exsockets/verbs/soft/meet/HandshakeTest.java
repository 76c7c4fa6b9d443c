package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.waiting.ProgressThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the listener's Unix-domain socket that do not do what {@link org.exsockets.verbs.soft.SoftDevice} does. */
class HandshakeTest extends RawClientFixture {
    private static final int MAX_SILENT = SilentClients.MAX_SILENT;

    private final List<LocalSocket> clients = new ArrayList<>();

    @AfterEach
    void closeClients() {
        clients.forEach(LocalSocket::close);
    }

    @Test
    void aHelloWithItsSegmentIsAccepted() throws Exception {
        LocalSocket client = rawClient();
        write(client, hello());
        Endpoint accepted = accept(listener());
        assertEquals(client(1), accepted.remoteAddress());
        assertEquals(address(), accepted.localAddress());
        assertEquals(DEPTH, accepted.receiveDepth());
        assertEquals(EXPOSED_BYTES, accepted.remote().lengthBytes());
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
        "64, 4, 1", // proof
        "68, 4, 1",
        "72, 4, 1", // the process that is passed is another one
        "76, 4, 1"
    })
    void aHelloWithAWrongFieldIsRefused(int offset, int length, String value) throws Exception {
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
    @ValueSource(booleans = {true, false})
    void aHelloThatNamesASegmentWhichNobodyHasPassedIsRefused(boolean claimed) throws Exception {
        LocalSocket client = rawClient();
        client.send((claimed ? hello() : helloAgain()).array(), NONE, NONE);
        assertRefused(client);
    }

    /** The kernel shows it to who peeks at the hello. */
    @Test
    void whatIsPassedBehindAHelloIsNotTheHellos() throws Exception {
        write(rawClient(), hello());
        Endpoint first = accept(listener());
        first.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        first.release();

        LocalSocket client = rawClient();
        client.send(helloAgain().array(), NONE, NONE);
        SharedMemory arena = SharedMemory.create(1 << 20);
        int key = ArenaDescriptor.key(7);
        ArenaDescriptor.format(arena.words(), key, 1 << 20);
        assertTrue(client.pass(arena.descriptor()));
        Endpoint second = accept(listener());
        assertTrue(second.direct().reach(4096, key, 1));
        arena.unmap();
    }

    /** What it comes with is closed all the same. */
    @Test
    void descriptorsBeyondThoseOfAHelloAreClosed() throws Exception {
        LocalSocket client = rawClient();
        byte[] hello = hello().array();
        OpenDescriptors before = OpenDescriptors.now();
        Endpoint accepted = null;
        for (int i = 0; i < hello.length; i++) {
            client.send(new byte[] {hello[i]}, segment.descriptor(), process.descriptor());
            accepted = listener().tryAccept(); // The last time, if the background thread is fast.
        }
        ended(accepted != null ? accepted : waitFor(listener()::tryAccept));
        waitFor(() -> OpenDescriptors.now().moreThan(before) == 1 ? true : null); // The connection's socket.
    }

    @ParameterizedTest
    @ValueSource(strings = {"a process", "the socket", "twice the process"})
    void aHelloWithAnotherDescriptorInPlaceOfTheSegmentIsRefused(String what) throws Exception {
        LocalSocket client = rawClient();
        switch (what) {
            case "a process" -> client.send(hello().array(), process.descriptor(), segment.descriptor());
            case "the socket" -> client.send(hello().array(), client.descriptor(), process.descriptor());
            default -> client.send(hello().array(), process.descriptor(), process.descriptor());
        }
        assertRefused(client);
    }

    @Test
    void aClientWithoutAProcessIsServedButRememberedByNobody() throws Exception {
        LocalSocket client = rawClient();
        client.send(hello().putLong(HelloDescriptor.TOKEN_OFFSET, 0).array(), segment.descriptor(), NONE);
        Endpoint accepted = accept(listener());
        assertNull(accepted.queuePair().completionQueue().openSleepSign());
        accepted.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        accepted.release();
        LocalSocket again = rawClient();
        again.send(helloAgain().array(), NONE, NONE);
        assertRefused(again);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, -1})
    void aSegmentOfAnotherLengthIsRefused(int difference) throws Exception {
        int length = SegmentDescriptor.length(DEPTH, EXPOSED_BYTES);
        createSegment(length + (difference == 0 ? -4096 : difference));
        assertRefused(hello());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "8, 9", "8, 11", "12, 4096", "16, 16", "20, 8192", "24, 1", "28, 1", "40, 8192"})
    void aSegmentWithAnotherHeadIsRefused(int offset, int value) throws Exception {
        segment.memory().putInt(offset, value);
        assertRefused(hello());
    }

    @Test
    void whoComesBackWithAMappedSegmentProvesThatItIsHis() throws Exception {
        write(rawClient(), hello());
        Endpoint first = accept(listener());
        first.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        first.release();

        rawClient().send(helloAgain().array(), NONE, NONE);
        Endpoint second = accept(listener());
        second.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        second.release();

        LocalSocket another = rawClient();
        another.send(
                helloAgain().putLong(HelloDescriptor.PROOF_OFFSET, PROOF + 1).array(), NONE, NONE);
        assertRefused(another);

        rawClient().send(helloAgain().array(), NONE, NONE);
        assertEquals(client(1), accept(listener()).remoteAddress(), "a wrong hello takes nothing from others");
    }

    @Test
    void aMappedSegmentStaysMappedIfWhoHasItNamesItWrongly() throws Exception {
        write(rawClient(), hello());
        Endpoint first = accept(listener());
        first.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        first.release();

        segment.memory().putInt(8, 0); // The layout in its head.
        LocalSocket wrong = rawClient();
        wrong.send(helloAgain().array(), NONE, NONE);
        assertRefused(wrong);

        segment.memory().putInt(8, SegmentDescriptor.LAYOUT);
        rawClient().send(helloAgain().array(), NONE, NONE);
        assertEquals(client(1), accept(listener()).remoteAddress());
    }

    @Test
    void aSegmentInUseIsNotAcceptedAgain() throws Exception {
        write(rawClient(), hello());
        Endpoint first = accept(listener());
        LocalSocket again = rawClient();
        write(again, hello());
        assertNull(listener().tryAccept());
        NativeMemory.close((int) (again.drain() >>> Integer.SIZE) - 1); // Its process goes before the answer.
        assertEnds(again);
        assertFalse(first.queuePair().inError());
    }

    @Test
    void aSegmentInUseOfWhichTheClientSaysThatItIsNotIsMappedOnceMoreAndThenOnlyOnce() throws Exception {
        List<Endpoint> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            claim();
            write(rawClient(), hello());
            both.add(accept(listener()));
        }
        for (Endpoint each : both) {
            each.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            each.release();
        }
        String inode = " " + Files.getAttribute(Path.of("/proc/self/fd/" + segment.descriptor()), "unix:ino") + " ";
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            assertEquals(2, mappings.filter(each -> each.contains(inode)).count(), "one of them is the client's");
        }
    }

    @Test
    void garbageIsRefused() throws Exception {
        assertRefused(ByteBuffer.wrap(bytes(HelloDescriptor.LENGTH, 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 79})
    void aClientThatClosesTooEarlyIsSkipped(int length) throws Exception {
        LocalSocket client = rawClient();
        write(client, hello().limit(length));
        client.close();
        Endpoint a = connectOnly(PARAMETERS);
        assertEquals(a.localAddress(), accept(listener()).remoteAddress());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 79})
    void aLateHelloIsTakenWhenItComesAndHoldsUpNobody(int early) throws Exception {
        AtomicInteger told = new AtomicInteger();
        listener().attend(ProgressThread.background(), told::incrementAndGet);
        LocalSocket late = rawClient();
        ByteBuffer hello = hello();
        write(late, hello.limit(early));
        assertNull(listener().tryAccept());
        Endpoint other = connectOnly(PARAMETERS);
        assertEquals(other.localAddress(), accept(listener()).remoteAddress());
        assertFalse(listener().hasLate());

        write(late, hello.limit(HelloDescriptor.LENGTH));
        waitFor(() -> told.get() == 0 ? null : true);
        assertTrue(listener().hasLate());
        assertEquals(client(1), accept(listener()).remoteAddress());
        assertFalse(listener().hasLate());
        assertEquals(1, told.get());
    }

    @Test
    void aListenerIsNotConfirmedReadyBeforeTheHelloOfAClientIsComplete() throws Exception {
        LocalSocket late = rawClient();
        ByteBuffer hello = hello();
        write(late, hello.limit(1));
        assertFalse(listener().confirmReady());
        write(late, hello.limit(HelloDescriptor.LENGTH));
        waitFor(() -> listener().hasLate() ? true : null);
        assertTrue(listener().confirmReady());
        assertEquals(client(1), accept(listener()).remoteAddress());
        assertFalse(listener().confirmReady());

        Endpoint prompt = connectOnly(PARAMETERS);
        waitFor(() -> listener().confirmReady() ? true : null);
        assertTrue(listener().hasLate());
        assertEquals(prompt.localAddress(), accept(listener()).remoteAddress());
    }

    @Test
    void whoIsSilentWhenTheListenerClosesSeesItGo() throws Exception {
        LocalSocket late = rawClient();
        assertNull(listener().tryAccept());
        listener().close();
        assertEnds(late);
    }

    /** Who comes is never turned away for those who are there already: he may be about to speak. */
    @Test
    void beyondSomeTheClientThatHasBeenSilentLongestIsWaitedForNoMore() throws Exception {
        LocalSocket longest = rawClient();
        assertNull(listener().tryAccept());
        for (int i = 1; i < MAX_SILENT; i++) {
            rawClient();
            assertNull(listener().tryAccept());
        }
        List<LocalSocket> tooMany = new ArrayList<>();
        assertEquals(0L, waitFor(() -> {
            tooMany.add(rawClient());
            assertNull(listener().tryAccept());
            long now = longest.drain();
            return now < 0 ? null : now;
        }));
        LocalSocket last = tooMany.get(tooMany.size() - 1);
        write(last, hello());
        waitFor(() -> listener().hasLate() ? true : null);
        assertEquals(client(1), accept(listener()).remoteAddress());
    }

    @Test
    void aCallTakesABoundedNumberOfSilentClientsOffTheBacklog() throws Exception {
        for (int i = 0; i < 20; i++) {
            rawClient();
        }
        Endpoint behind = connectOnly(PARAMETERS);
        assertNull(listener().tryAccept());
        assertEquals(behind.localAddress(), accept(listener()).remoteAddress());
    }

    @Test
    void whereNobodyWaitsForLateHellosClientsWithoutOneAreRefused() throws Exception {
        InetSocketAddress other = new InetSocketAddress("127.0.0.2", address().getPort());
        try (DeviceListener alone = device().listen(other, false, 50, PARAMETERS)) {
            LocalSocket late = rawClient(other);
            assertNull(alone.tryAccept());
            assertEnds(late);
        }
    }

    /** Each look takes a bounded number of bytes: others wait to be looked at, too. */
    @Test
    void aDoorbellThatIsRungWithoutEndIsLeftInBetween() throws Exception {
        LocalSocket client = rawClient();
        write(client, hello());
        CompletionChannel bell = accept(listener()).queuePair().completionChannel();
        for (int i = 0; i < 4; i++) {
            client.send(new byte[250], NONE, NONE);
        }
        assertEquals(CompletionChannel.EVENT, bell.drain());
        assertEquals(CompletionChannel.EVENT, bell.drain());
        client.close();
        waitFor(() -> (bell.drain() & CompletionChannel.HANGUP) != 0 ? true : null);
    }

    private void assertRefused(ByteBuffer hello) throws Exception {
        LocalSocket client = rawClient();
        write(client, hello);
        assertRefused(client);
    }

    private void assertRefused(LocalSocket client) throws Exception {
        assertNull(listener().tryAccept());
        assertEnds(client);
        Endpoint next = connectOnly(PARAMETERS);
        assertNotNull(accept(listener()));
        assertFalse(next.queuePair().inError());
    }

    /** Whoever is watched when it is given up sees it when the background thread has let go. */
    private static void assertEnds(LocalSocket client) throws IOException {
        long drained = waitFor(() -> {
            long now = client.drain();
            return now < 0 ? null : now;
        });
        assertEquals(0, drained);
    }

    private LocalSocket rawClient() throws IOException {
        return rawClient(address());
    }

    private LocalSocket rawClient(InetSocketAddress to) throws IOException {
        LocalSocket client = LocalSocket.open();
        clients.add(client);
        assertEquals(0, client.connect(ListenerNames.of(to, false, 1), new long[1]));
        return client;
    }

    /** Of a segment that the listener has mapped. */
    private ByteBuffer helloAgain() throws IOException {
        claim();
        return hello().put(HelloDescriptor.PASSED_OFFSET, (byte) 0);
    }

    /** What remains of it; with its beginning go segment and process. */
    private void write(LocalSocket client, ByteBuffer hello) throws IOException {
        boolean begins = hello.position() == 0;
        byte[] bytes = new byte[hello.remaining()];
        hello.get(bytes);
        if (bytes.length > 0) {
            client.send(bytes, begins ? segment.descriptor() : NONE, begins ? process.descriptor() : NONE);
        }
    }
}

package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many large receives outstanding on a STREAM socket, which a device may let the ordinary peer fill by itself. */
@Tag("fallback")
@Tag("esapi")
@NotOver(value = Transport.DISNI, reason = "the memory that the device shares with its peers is the software device's")
class EsDirectContract extends EsContract {
    private static final int MB = 1 << 20;
    private static final int RECEIVES = 8;

    private static final long SEED = Long.getLong("exs.test.seed", 1);

    private PeerJvm other;
    private ExsSocket local;
    private PeerSocket remote;

    @BeforeEach
    void connect() throws Exception {
        other = closing(PeerJvm.start());
        connect(Face.NIO);
    }

    private void connect(Face face) throws Exception {
        PeerListener listener = other.listen(face);
        remote = listener.accept();
        local = closing(host.connect(SocketType.STREAM, testAddress(listener.port())));
        remote.awaitOpen();
    }

    private List<Long> receive(ExsMemory memory, int flags) throws IOException {
        List<Long> operations = new ArrayList<>();
        for (int at = 0; at < memory.length(); at += MB) {
            operations.add(local.receive(memory, at, MB, flags, host.queue(), at));
        }
        return operations;
    }

    /** The peer ends, and tells how much of what it has sent went straight to where it was wanted. */
    private long directBytes() throws IOException {
        other.exit();
        return Transport.directBytes(other.errors(), "sent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NIO", "NET"})
    void receivesThatWaitAreFilledByThePeer(String face) throws Exception {
        local.close();
        connect(Face.valueOf(face));
        ExsMemory memory = ExsMemory.allocate(RECEIVES * MB);
        for (int round = 0; round < 5; round++) {
            List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
            CompletableFuture<String> written = remote.startWrite((long) RECEIVES * MB, MB);
            for (long operation : operations) {
                assertEquals(MB, host.done(operation).length());
            }
            Pattern.check((long) round * RECEIVES * MB, memory.buffer(), 0, RECEIVES * MB);
            PeerJvm.await(written);
        }
        if (transport() == Transport.SOFT) {
            long direct = directBytes();
            assertTrue(direct > RECEIVES * MB, "direct bytes: " + direct);
        }
    }

    @Test
    void memoryThatNoPeerReachesServesAsWell() throws Exception {
        ExsMemory memory = ExsMemory.register(ByteBuffer.allocateDirect(RECEIVES * MB));
        List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
        CompletableFuture<String> written = remote.startWrite((long) RECEIVES * MB, MB);
        for (long operation : operations) {
            assertEquals(MB, host.done(operation).length());
        }
        Pattern.check(0, memory.buffer(), 0, RECEIVES * MB);
        PeerJvm.await(written);
        if (transport() == Transport.SOFT && System.getProperty("exs.direct.buffers") == null) {
            assertEquals(0, directBytes());
        }
    }

    /** Receives of all kinds and lengths, beginning anywhere, some of them cancelled, and pieces of all lengths. */
    @Test
    @TimeLimit(LONG)
    void everyByteIsInItsPlaceWhateverIsCancelledMeanwhile() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        ExsMemory memory = ExsMemory.allocate(RECEIVES * MB);
        long total = 64L * MB;
        int piece = 1 + random.nextInt(3 * MB);
        receiveStraight(memory);
        CompletableFuture<String> written = remote.startWrite(total - MB, piece);
        Background<Void> ended = Background.start(() -> {
            remote.shutdownOutput();
            return null;
        });
        int underWay = 0;
        int cancels = 0;
        boolean[] busy = new boolean[RECEIVES];
        for (long received = MB; received < total || underWay > 0; ) {
            for (int slot = 0; slot < RECEIVES && received < total; slot++) {
                if (!busy[slot] && random.nextInt(3) != 0) {
                    int offset = random.nextBoolean() ? 0 : random.nextInt(5000);
                    int length = 1 + random.nextInt(random.nextInt(4) == 0 ? 3000 : MB - offset);
                    int flags = random.nextBoolean() ? ExsSocket.MSG_WAITALL : 0;
                    int[] place = {slot, slot * MB + offset};
                    long operation = local.receive(memory, place[1], length, flags, host.queue(), place);
                    busy[slot] = true;
                    underWay++;
                    if (random.nextInt(6) == 0) {
                        local.cancel(operation);
                        cancels++;
                    }
                }
            }
            if (underWay == 0) {
                continue;
            }
            Event event = host.next();
            String what = "seed=" + SEED + ": received=" + received + ", " + event;
            assertTrue(event.status() == Event.Status.DONE || event.status() == Event.Status.CANCELLED, what);
            int[] place = (int[]) event.context();
            Pattern.check(received, memory.buffer(), place[1], event.length());
            received += event.length();
            busy[place[0]] = false;
            underWay--;
        }
        PeerJvm.await(written);
        ended.result();
        System.out.println("es direct: seed=" + SEED + ", piece=" + piece + ", cancels=" + cancels);
        if (transport() == Transport.SOFT) {
            long direct = directBytes();
            String what = "seed=" + SEED + ": piece=" + piece + ", direct bytes: " + direct;
            assertTrue(direct >= MB, what); // Of the rest, what the receiver is ahead of.
        }
    }

    /** A megabyte into a receive that was posted before the peer began: that is direct, whatever the timing. */
    private void receiveStraight(ExsMemory memory) throws Exception {
        long operation = local.receive(memory, 0, MB, ExsSocket.MSG_WAITALL, host.queue(), null);
        CompletableFuture<String> written = remote.startWrite(MB, MB);
        assertEquals(MB, host.done(operation).length());
        Pattern.check(0, memory.buffer(), 0, MB);
        PeerJvm.await(written);
    }

    @Test
    void theOthersKeepTheirOrderWhenSomeAreCancelled() throws Exception {
        ExsMemory memory = ExsMemory.allocate(4 * MB);
        List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
        assertTrue(local.cancel(operations.get(1)));
        assertTrue(local.cancel(operations.get(3)));
        List<Long> cancelled = new ArrayList<>(List.of(operations.get(1), operations.get(3)));
        while (!cancelled.isEmpty()) {
            Event event = host.next();
            assertEquals(Event.Status.CANCELLED, event.status());
            assertEquals(0, event.length());
            assertTrue(cancelled.remove((Object) event.operation()));
        }
        CompletableFuture<String> written = remote.startWrite(2L * MB, MB);
        assertEquals(MB, host.done(operations.get(0)).length());
        assertEquals(MB, host.done(operations.get(2)).length());
        Pattern.check(0, memory.buffer(), 0, MB);
        Pattern.check(MB, memory.buffer(), 2 * MB, MB);
        PeerJvm.await(written);
    }

    @Test
    void theEndOfTheStreamEndsAllThatAreOutstanding() throws Exception {
        ExsMemory memory = ExsMemory.allocate(4 * MB);
        List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
        remote.write(MB + MB / 2, MB);
        remote.shutdownOutput();
        assertEquals(MB, host.done(operations.get(0)).length());
        for (int i = 1; i < 4; i++) {
            Event event = host.done(operations.get(i));
            assertEquals(i == 1 ? MB / 2 : 0, event.length());
            assertTrue(event.endOfStream());
        }
        Pattern.check(0, memory.buffer(), 0, MB + MB / 2);
        host.done(local.send(memory, 0, 50, 0, host.queue(), null));
        remote.read(50);
    }

    @Test
    void aResetFailsAllThatAreOutstanding() throws Exception {
        ExsMemory memory = ExsMemory.allocate(4 * MB);
        List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
        remote.write(MB, MB);
        assertEquals(MB, host.done(operations.get(0)).length());
        remote.abort();
        for (int i = 1; i < 4; i++) {
            Event event = host.next();
            assertEquals(operations.get(i), event.operation());
            assertEquals(Event.Status.FAILED, event.status());
            assertEquals("Connection reset", event.failure().getMessage());
        }
        Pattern.check(0, memory.buffer(), 0, MB);
        memory.close();
    }

    @Test
    void aQueueThatIsClosedTakesItsReceivesAlongAndNoOther() throws Exception {
        ExsMemory memory = ExsMemory.allocate(4 * MB);
        try (EsHost second = new EsHost()) {
            local.receive(memory, 0, MB, 0, second.queue(), null);
            local.receive(memory, MB, MB, ExsSocket.MSG_WAITALL, second.queue(), null);
        }
        memory.close();
        ExsMemory later = ExsMemory.allocate(MB);
        long operation = local.receive(later, 0, MB, ExsSocket.MSG_WAITALL, host.queue(), null);
        CompletableFuture<String> written = remote.startWrite(MB, MB);
        assertEquals(MB, host.done(operation).length());
        Pattern.check(0, later.buffer(), 0, MB);
        PeerJvm.await(written);
    }

    /** The peer is stopped, at best in the middle of a copy, and goes on when the memory is the program's again. */
    @Tag("stopped")
    @ParameterizedTest
    @ValueSource(strings = {"cancel", "close", "close queue"})
    @TimeLimit(LONG)
    void memoryDoesNotChangeOnceItIsTheProgramsAgain(String how) throws Exception {
        ExsMemory memory = ExsMemory.allocate(64 * MB);
        EsHost used = closing(new EsHost());
        List<Long> operations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            operations.add(local.receive(memory, i * 16 * MB, 16 * MB, ExsSocket.MSG_WAITALL, used.queue(), null));
        }
        CompletableFuture<String> written = remote.startWrite(64L * MB, 64 * MB);
        ByteBuffer bytes = memory.buffer();
        while (bytes.get(0) == 0 && bytes.get(1) == 0) {
            used.queue().dequeue(Event.array(0), 0, TimeUnit.NANOSECONDS);
            local.cancel(Long.MAX_VALUE); // Moves on what has come through a hidden buffer.
        }
        other.stop();
        try {
            switch (how) {
                case "close" -> local.close();
                case "close queue" -> used.close();
                default -> {
                    operations.forEach(local::cancel);
                    for (int i = 0; i < operations.size(); i++) {
                        Event event = used.next();
                        assertTrue(
                                event.status() == Event.Status.CANCELLED || event.status() == Event.Status.DONE,
                                event.toString());
                    }
                }
            }
            long before = Pattern.checksum(memory.buffer());
            memory.close();
            other.resume();
            if (!how.equals("close")) {
                local.close();
            }
            PeerJvm.awaitEnd(written);
            assertEquals(before, Pattern.checksum(memory.buffer()), "the memory has changed");
        } finally {
            other.resume();
        }
    }

    /** What a stopped peer had begun to write before a cancel is read in its place, by the receives that follow. */
    @Test
    @TimeLimit(LONG)
    void theStreamGoesOnBehindACancelThatThePeerHasNotAnswered() throws Exception {
        ExsMemory memory = ExsMemory.allocate(4 * MB);
        List<Long> operations = receive(memory, ExsSocket.MSG_WAITALL);
        other.stop();
        long held = 0;
        try {
            local.cancel(operations.get(0));
            local.cancel(operations.get(2));
            for (int i = 0; i < 2; i++) {
                Event event = host.next();
                assertEquals(Event.Status.CANCELLED, event.status());
                held += event.length();
            }
        } finally {
            other.resume();
        }
        assertEquals(0, held);
        CompletableFuture<String> written = remote.startWrite(2L * MB, MB);
        assertEquals(MB, host.done(operations.get(1)).length());
        assertEquals(MB, host.done(operations.get(3)).length());
        Pattern.check(0, memory.buffer(), MB, MB);
        Pattern.check(MB, memory.buffer(), 3 * MB, MB);
        PeerJvm.await(written);
    }
}

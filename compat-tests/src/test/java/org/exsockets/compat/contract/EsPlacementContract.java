package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.exsockets.api.Event;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory of this process that the peer process writes to. */
@Tag("esapi")
class EsPlacementContract extends EsContract {
    private static final int LENGTH = 1 << 20;

    private ExsServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = listening(SocketType.SEQPACKET);
    }

    private CompletableFuture<String> writer(int piece) throws IOException {
        return peer().run(
                        WriteToExport.class,
                        TestHost.NAME,
                        listener.localAddress().getPort(),
                        piece);
    }

    @Test
    void thePeerWritesAtOffsetsAndNotifiesUntilTheMemoryIsTakenBack() throws Exception {
        int piece = 100_000;
        CompletableFuture<String> program = writer(piece);
        ExsSocket socket = closing(host.accept(listener));
        ExsMemory memory = ExsMemory.allocate(LENGTH);
        ExsMemory note = ExsMemory.allocate(8);
        Export export = socket.export(memory, 0, LENGTH);
        assertEquals(LENGTH, export.length());
        note.buffer().putInt(export.number()).putInt(LENGTH);
        host.done(host.send(socket, note));
        for (int at = 0; at < LENGTH; at += piece) {
            Event event = host.done(host.receive(socket, note));
            int length = Math.min(piece, LENGTH - at);
            assertEquals(export.number(), event.notifiedExport());
            assertEquals(at, event.notifiedOffset());
            assertEquals(length, event.notifiedLength());
            assertEquals(0, event.length());
            Pattern.check(at, memory.buffer().position(at).limit(at + length));
        }
        assertThrowsA(IllegalStateException.class, memory::close);
        host.done(socket.unexport(export, host.queue(), null));
        memory.close();
        assertThrowsA(IllegalArgumentException.class, () -> socket.unexport(export, host.queue(), null));
        host.done(host.send(socket, note));
        assertEquals("FAILED:IOException FAILED:IOException", PeerJvm.await(program));
    }

    @Test
    void closingTakesTheMemoryBack() throws Exception {
        CompletableFuture<String> program = writer(LENGTH);
        ExsSocket socket = host.accept(listener);
        ExsMemory memory = ExsMemory.allocate(LENGTH);
        socket.export(memory, 0, LENGTH);
        socket.close();
        memory.close();
        assertThrowsA(IOException.class, () -> PeerJvm.await(program));
    }

    @Test
    void packetsIntoWholePagesAreReceivedInPlaceWhateverTheirLength() throws Exception {
        CompletableFuture<String> program = peer().run(
                        EchoPackets.class,
                        TestHost.NAME,
                        listener.localAddress().getPort(),
                        4,
                        LENGTH);
        ExsSocket socket = closing(host.accept(listener));
        ExsMemory out = ExsMemory.allocate(LENGTH);
        out.buffer().put(Pattern.bytes(0, LENGTH));
        ExsMemory in = ExsMemory.allocate(LENGTH + 4096);
        for (int length : new int[] {LENGTH, LENGTH - 1, 1, 0, 4096, 4097, 700_001}) {
            long received = socket.receive(in, 0, length == LENGTH ? LENGTH : LENGTH + 10, 0, host.queue(), null);
            long sent = socket.send(out, 0, length, 0, host.queue(), null);
            for (int i = 0; i < 2; i++) {
                Event event = host.next();
                assertEquals(Event.Status.DONE, event.status(), event::toString);
                assertTrue(event.operation() == received || event.operation() == sent);
                assertEquals(length, event.length());
            }
            Pattern.check(0, in.buffer().limit(length));
        }
        socket.shutdownOutput();
        assertEquals("7", PeerJvm.await(program));
    }
}

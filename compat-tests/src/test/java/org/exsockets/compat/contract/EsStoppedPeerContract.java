package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.api.Event;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that is stopped while it writes to memory of this process, at best in the middle of a copy, and goes on when the
 * memory is the program's again: then no byte of it changes.
 */
@TimeLimit(LONG)
@Tag("esapi")
class EsStoppedPeerContract extends EsContract {
    /** Takes longer to move than to send a signal. */
    private int hugeBytes;

    private PeerJvm stopped;
    private CompletableFuture<String> program;
    private ExsMemory memory;

    @BeforeEach
    void allocate() throws IOException {
        hugeBytes = (transport() == Transport.DISNI ? 8 : 64) << 20;
        memory = ExsMemory.allocate(hugeBytes);
    }

    @AfterEach
    void letThePeerEnd() throws IOException {
        stopped.resume();
    }

    private ExsSocket accept(Class<? extends PeerProgram> peers) throws Exception {
        ExsServerSocket listener = listening(SocketType.SEQPACKET);
        stopped = closing(PeerJvm.start());
        program = stopped.run(peers, TestHost.NAME, listener.localAddress().getPort(), hugeBytes);
        return closing(host.accept(listener));
    }

    private void stopInTheMiddle() throws IOException {
        ByteBuffer bytes = memory.buffer();
        while (bytes.get(0) == 0) {
            Thread.onSpinWait();
        }
        stopped.stop();
    }

    private long checksum() {
        return Pattern.checksum(memory.buffer());
    }

    /** The memory is the program's again: the peer goes on, and finds the connection reset. */
    private void resumeAndCompare() throws Exception {
        long before = checksum();
        stopped.resume();
        String end = PeerJvm.await(program);
        assertEquals(before, checksum(), "the memory has changed");
        assertTrue(end.equals("FAILED:Connection reset") || end.equals("FAILED:Broken pipe"), end);
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "delete the queue"})
    void memoryOfAReceiveDoesNotChangeOnceItIsGivenBack(String how) throws Exception {
        ExsSocket socket = accept(FloodPackets.class);
        EsHost own = closing(new EsHost());
        long received = own.receive(socket, memory);
        stopInTheMiddle();
        boolean closes = how.equals("close");
        if (closes) {
            socket.close();
            Event event = own.next();
            assertEquals(received, event.operation());
            System.out.println("stopped peer: " + how + ", " + event);
        } else {
            own.close();
        }
        memory.close();
        resumeAndCompare();
    }

    /** A packet that is half under way is finished; whatever the end is, it is the end. */
    @Test
    void memoryOfACancelledReceiveDoesNotChangeOnceItHasEnded() throws Exception {
        ExsSocket socket = accept(FloodPackets.class);
        long received = host.receive(socket, memory);
        stopInTheMiddle();
        socket.cancel(received);
        stopped.resume();
        Event event = host.next();
        assertEquals(received, event.operation());
        System.out.println("stopped peer: cancel, " + event);
        long before = checksum();
        // The peer goes on with its next packet, which has other bytes.
        Event next = host.done(host.receive(socket, ExsMemory.allocate(10)));
        assertEquals(hugeBytes, next.packetLength());
        assertEquals(before, checksum(), "the memory has changed");
    }

    /** {@return what the peer is just filling} */
    private Export floodedExport(ExsSocket socket) throws Exception {
        Export export = socket.export(memory, 0, hugeBytes);
        ExsMemory note = ExsMemory.allocate(4);
        note.buffer().putInt(export.number());
        host.done(host.send(socket, note));
        stopInTheMiddle();
        return export;
    }

    @Test
    void exportedMemoryDoesNotChangeOnceTheSocketIsClosed() throws Exception {
        ExsSocket socket = accept(FloodExport.class);
        floodedExport(socket);
        socket.close();
        memory.close();
        resumeAndCompare();
    }

    @Test
    void exportedMemoryDoesNotChangeOnceItIsTakenBack() throws Exception {
        ExsSocket socket = accept(FloodExport.class);
        Export export = floodedExport(socket);
        long takenBack = socket.unexport(export, host.queue(), null);
        assertEquals(0, host.queue().dequeue(Event.array(1), 50, TimeUnit.MILLISECONDS), "who stands still answers");
        stopped.resume();
        host.done(takenBack);
        long before = checksum();
        memory.close();
        assertTrue(PeerJvm.await(program).startsWith("FAILED:write: the peer exports no such memory"));
        assertEquals(before, checksum(), "the memory has changed");
    }
}

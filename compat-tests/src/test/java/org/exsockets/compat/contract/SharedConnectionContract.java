package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One connection used by several threads at once. */
@Tag("placed")
class SharedConnectionContract extends Contract {
    private static final int RECORD_BYTES = 64;
    private static final int RECORDS = 2000;
    private static final int WRITERS = 4;

    @Test
    void smallWritesOfSeveralThreadsStayWholeOnAChannel() throws Exception {
        ChannelPair pair = channelPair();
        List<Background<Boolean>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            byte mark = (byte) (writer + 1);
            writers.add(Background.start(() -> {
                for (int i = 0; i < RECORDS; i++) {
                    writeFully(pair.client(), record(mark));
                }
                return true;
            }));
        }
        ByteBuffer received = ByteBuffer.allocate(WRITERS * RECORDS * RECORD_BYTES);
        readFully(pair.server(), received);
        for (Background<Boolean> writer : writers) {
            assertTrue(writer.result());
        }
        assertWhole(received.array());
    }

    @Test
    void smallWritesOfSeveralThreadsStayWholeOnASocket() throws Exception {
        SocketPair pair = socketPair();
        List<Background<Boolean>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            byte[] bytes = record((byte) (writer + 1)).array();
            writers.add(Background.start(() -> {
                OutputStream out = pair.client().getOutputStream();
                for (int i = 0; i < RECORDS; i++) {
                    out.write(bytes);
                }
                return true;
            }));
        }
        assertWhole(pair.server().getInputStream().readNBytes(WRITERS * RECORDS * RECORD_BYTES));
        for (Background<Boolean> writer : writers) {
            assertTrue(writer.result());
        }
    }

    @Test
    void writeOfOneThreadDoesNotWaitForTheReadOfAnother() throws Exception {
        SocketLink link = connectedSocket();
        Background<Integer> read = startRead(link.local());
        link.local().getOutputStream().write(Pattern.bytes(0, 1000));
        link.remote().read(1000);
        link.remote().write(1);
        assertEquals(Pattern.at(0), (byte) (int) read.result());
    }

    @Test
    void channelWriteOfOneThreadDoesNotWaitForTheReadOfAnother() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer buffer = ByteBuffer.allocate(1);
        Background<Integer> read = Background.start(() -> link.local().read(buffer));
        read.awaitBlockedIn("read");
        writeFully(link.local(), Pattern.buffer(0, 1000));
        link.remote().read(1000);
        link.remote().write(1);
        assertEquals(1, read.result());
    }

    @Test
    void bytesReadBySeveralThreadsAreEachReadOnce() throws Exception {
        ChannelPair pair = channelPair();
        List<Background<Long>> readers = new ArrayList<>();
        for (int reader = 0; reader < 3; reader++) {
            readers.add(Background.start(() -> sumToEnd(pair.server())));
        }
        long expected = 0;
        for (int i = 0; i < 100; i++) {
            byte[] bytes = Pattern.bytes(i * 1000L, 1000);
            for (byte b : bytes) {
                expected += b;
            }
            writeFully(pair.client(), ByteBuffer.wrap(bytes));
        }
        pair.client().close();
        long sum = 0;
        for (Background<Long> reader : readers) {
            sum += reader.result();
        }
        assertEquals(expected, sum);
    }

    @Test
    void interruptOfAnIdleThreadLeavesTheConnectionAlone() throws Exception {
        ChannelLink link = connectedChannel();
        Thread.currentThread().interrupt();
        assertTrue(Thread.interrupted());
        link.remote().write(10);
        readPattern(link.local(), 0, 10);
    }

    @Test
    void interruptDoesNotDisturbASocketRead() throws Exception {
        SocketLink link = connectedSocket();
        Background<Integer> read =
                Background.start(() -> link.local().getInputStream().read());
        read.awaitBlockedIn("read").thread().interrupt();
        link.remote().write(1);
        assertEquals(Pattern.at(0), (byte) (int) read.result());
        assertTrue(link.local().isConnected());
    }

    private static long sumToEnd(SocketChannel channel) throws Exception {
        long sum = 0;
        ByteBuffer buffer = ByteBuffer.allocate(777);
        while (channel.read(buffer.clear()) >= 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                sum += buffer.get();
            }
        }
        return sum;
    }

    private static ByteBuffer record(byte mark) {
        byte[] bytes = new byte[RECORD_BYTES];
        Arrays.fill(bytes, mark);
        return ByteBuffer.wrap(bytes);
    }

    private static void assertWhole(byte[] received) {
        int[] records = new int[WRITERS + 1];
        for (int at = 0; at < received.length; at += RECORD_BYTES) {
            for (int i = 1; i < RECORD_BYTES; i++) {
                assertEquals(received[at], received[at + i], "a write was torn");
            }
            records[received[at]]++;
        }
        for (int writer = 1; writer <= WRITERS; writer++) {
            assertEquals(RECORDS, records[writer]);
        }
    }
}

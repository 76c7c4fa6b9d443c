package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Over shared memory, both ends in this process: one only writes, and never reads, waits, or runs out of room. It pauses
 * between its writes, and the other keeps up.
 */
class OneWayWritesTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(512 << 10, 512 << 10, 16, 1, 1);
    private static final int WRITES = 100 * PARAMETERS.receiveDepth();

    private ExsConnection writer;
    private ExsConnection reader;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        writer = new ExsConnection(ends.connected());
        reader = new ExsConnection(ends.accepted());
    }

    @AfterEach
    void close() {
        writer.close(Close.ABORT);
        reader.close(Close.ABORT);
    }

    private static void pause() {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < 2 * CreditLooks.PAUSE_NS) {
            Thread.onSpinWait();
        }
    }

    /** Nobody waits here for the background thread, which would announce what was placed without a credit. */
    @Test
    void whatIsWrittenIsThereAtOnceThoughTheWriterNeverReads() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        for (int i = 0; i < WRITES; i++) {
            pause();
            assertEquals(64, writer.write(bytes.clear(), Wait.INTERRUPTIBLE));
            assertEquals(64, reader.read(bytes.clear(), Wait.NONE), "write " + i);
        }
    }

    @Test
    void whatStreamsWriteIsThereAtOnceThoughTheWriterNeverReads() throws Exception {
        byte[] bytes = new byte[64];
        for (int i = 0; i < WRITES; i++) {
            pause();
            assertEquals(64, writer.write(bytes, 0, 64, Wait.INTERRUPTIBLE));
            assertEquals(64, reader.read(bytes, 0, 64, Wait.NONE), "write " + i);
        }
    }
}

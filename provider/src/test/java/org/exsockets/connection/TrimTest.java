package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that nothing moves on: their hidden buffers let go of memory, and hold everything that is still to be read. */
class TrimTest {
    private static final int BUFFER = 64 << 10;
    private static final EndpointParameters PARAMETERS = new EndpointParameters(BUFFER, 16 * BUFFER, 64, 1, 1);
    private static final Turn NOW = () -> Wait.NONE;
    private static final int PAGES = 4;
    private static final int PAGE = 4096;

    private ConnectedEndpoints ends;
    private ExsConnection[] connections;
    private int written;
    private int read;

    @BeforeEach
    void connect() throws Exception {
        ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        connections = new ExsConnection[] {new ExsConnection(ends.connected()), new ExsConnection(ends.accepted())};
    }

    @AfterEach
    void close() {
        for (ExsConnection each : connections) {
            each.close(Close.ABORT);
        }
    }

    private void write(int length) throws IOException {
        ByteBuffer source = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            source.put(i, pattern(written + i));
        }
        while (source.hasRemaining() && connections[0].write(source, NOW) > 0) {
            // As much as there is room for.
        }
        written += source.position();
    }

    private void read(int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining() && connections[1].read(target, NOW) > 0) {
            // As much as there is.
        }
        for (int i = 0; i < target.position(); i++) {
            assertEquals(pattern(read + i), target.get(i), "byte " + (read + i));
        }
        read += target.position();
    }

    /** Never 0, which is what is found where there is no page. */
    private static byte pattern(int position) {
        return (byte) (1 + position % 127);
    }

    private void look() {
        for (ExsConnection each : connections) {
            each.ending.lookForMemory();
        }
    }

    /** {@return pages of the hidden buffer of the reading end in which there is something} */
    private static int pages(Endpoint end) {
        ByteBuffer memory = end.exposed();
        int pages = 0;
        for (int page = 0; page < memory.capacity(); page += PAGE) {
            boolean empty = true;
            for (int i = 0; i < PAGE && empty; i++) {
                empty = memory.get(page + i) == 0;
            }
            pages += empty ? 0 : 1;
        }
        return pages;
    }

    @Test
    void whatHasBeenReadIsLetGoWhenNothingMoves() throws Exception {
        for (int i = 0; i < 30; i++) {
            write(3_000);
            read(3_000);
        }
        assertEquals(BUFFER / PAGE, pages(ends.accepted()));
        look();
        assertEquals(BUFFER / PAGE, pages(ends.accepted()), "it has moved since the last look");
        look();
        assertTrue(pages(ends.accepted()) <= PAGES, "pages: " + pages(ends.accepted()));
        write(3_000);
        read(3_000);
        assertEquals(written, read);
    }

    @Test
    void whatIsUnreadStays() throws Exception {
        for (int round = 0; round < 40; round++) {
            write(BUFFER);
            look();
            look();
            read(round * 1_711 % BUFFER);
            look();
            look();
        }
        read(Integer.MAX_VALUE >> 8);
        assertEquals(written, read);
    }

    @Test
    void aBufferThatTheWriterHasLeftIsLetGo() throws Exception {
        write(10 * BUFFER);
        assertTrue(written > 2 * BUFFER, "it takes its reserve: " + written);
        look();
        look();
        assertEquals(BUFFER / PAGE, pages(ends.accepted()), "nothing has been read");
        read(8 * BUFFER);
        write(10 * BUFFER);
        look();
        look();
        assertEquals(0, pages(ends.accepted()));
        read(20 * BUFFER);
        assertEquals(written, read);
    }
}

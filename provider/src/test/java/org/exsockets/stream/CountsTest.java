package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** How often the engine calls a device whose calls cost something. */
class CountsTest {
    private static final int DEPTH = 256;
    private static final int ROUNDS = 3 * DEPTH;
    private static final int LENGTH = 64;
    private static final int AT_ONCE = 16;
    private static final int EXPOSED_BYTES = 1 << 16;

    private final FakeEndpoint[] ends = FakeEndpoint.pair(EXPOSED_BYTES, EXPOSED_BYTES, DEPTH);
    private final StreamEngine first = new StreamEngine(ends[0]);
    private final StreamEngine second = new StreamEngine(ends[1]);

    /** A message, all that its reader sends because of it, and what that makes the writer do. */
    private void pass(int from, StreamEngine writer, StreamEngine reader) {
        assertEquals(LENGTH, writer.outgoing.trySend(ByteBuffer.allocate(LENGTH)));
        ends[from].deliver(1);
        reader.progress();
        assertEquals(LENGTH, reader.incoming.tryReceive(ByteBuffer.allocate(LENGTH)));
        ends[1 - from].read(LENGTH);
        reader.flush();
        ends[1 - from].deliver(Integer.MAX_VALUE);
        writer.progress();
        assertNull(reader.failure());
        assertNull(writer.failure());
    }

    @Test
    void aMessageIsOneRequestAndRepliesCarryTheCredits() {
        for (int i = 0; i < ROUNDS; i++) {
            pass(0, first, second);
            pass(1, second, first);
        }
        int acknowledgements = ROUNDS * LENGTH / (EXPOSED_BYTES / 4);
        assertEquals(ROUNDS + acknowledgements, ends[0].postCalls);
        assertEquals(ROUNDS + acknowledgements, ends[1].postCalls);
    }

    @Test
    void receivesAreGivenBackSixteenAtATime() {
        int calls = ends[1].receiveCalls;
        for (int i = 0; i < ROUNDS; i++) {
            pass(0, first, second);
        }
        assertEquals(ROUNDS / AT_ONCE, ends[1].receiveCalls - calls);
    }
}

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

    private int gather(int... lengths) {
        int calls = ends[0].postCalls;
        int total = 0;
        for (int i = 0; i < lengths.length; i++) {
            boolean more = i + 1 < lengths.length;
            assertEquals(
                    lengths[i], first.outgoing.trySend(ByteBuffer.allocate(lengths[i]), null, more, false), "at " + i);
            total += lengths[i];
        }
        ends[0].deliver(Integer.MAX_VALUE);
        second.progress();
        assertEquals(total, second.incoming.readableBytes());
        assertEquals(total, second.incoming.tryReceive(ByteBuffer.allocate(total)));
        ends[1].read(total);
        second.flush();
        ends[1].deliver(Integer.MAX_VALUE);
        first.progress();
        assertNull(second.failure());
        assertNull(first.failure());
        return ends[0].postCalls - calls;
    }

    @Test
    void aGatheringWriteIsOneRequest() {
        ends[0].stageUpTo(1 << 14);
        assertEquals(1, gather(10, 20, 30, 40));
        assertEquals(1, gather(1, 1 << 13));
        assertEquals(1, gather(1 << 13, 1 << 11, 1 << 12), "the last one goes with what is kept, whatever its length");
    }

    @Test
    void aGatheringWriteBeyondWhatIsKeptIsTwoRequestsAndAMessage() {
        ends[0].stageUpTo(100);
        assertEquals(3, gather(60, 60, 60));
    }

    @Test
    void aGatheringWriteAroundTheEndOfThePeersBufferIsTwoRequestsAndAMessage() {
        ends[0].stageUpTo(1 << 14);
        for (int i = 0; i < 5; i++) {
            gather(10, 13_000);
        }
        assertEquals(3, gather(300, 300));
    }

    @Test
    void whatIsKeptGoesWhenNothingFollows() {
        ends[0].stageUpTo(100);
        assertEquals(60, first.outgoing.trySend(ByteBuffer.allocate(60), null, true, false));
        assertEquals(0, ends[0].postCalls);
        first.outgoing.announceHeld();
        assertEquals(2, ends[0].postCalls);
        ends[0].deliver(2);
        second.progress();
        assertEquals(60, second.incoming.readableBytes());
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

package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.exsockets.stream.link.StreamListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.MoreRoom;

/** Two stream engines over a scripted device and the programs at both ends, all driven by one seeded scheduler. */
final class StreamSimulation {
    private static final int ACTIONS = 8;
    private static final int STEPS_PER_GROWTH = 20;
    private static final int STEPS_PER_TRIM = 5;
    private static final int MAX_SETTLING_ROUNDS = 100_000;

    private final Random random;
    private final End first;
    private final End second;
    private int growthLimit;
    private boolean reserves;
    private int stepsTaken;

    private final PacedRules rules = new PacedRules();

    /** One end: its engine, and what its program has written and read. Byte n of a direction is a function of n. */
    final class End {
        private final FakeEndpoint endpoint;
        private final StreamEngine engine;
        private final ByteBuffer output;
        private final ByteBuffer input;
        private final int salt;
        private End peer;
        private long sent;
        private long received;
        private boolean finished;
        private boolean ended;

        private End(FakeEndpoint endpoint, int salt, int maxChunk) {
            this.endpoint = endpoint;
            this.engine = new StreamEngine(endpoint, new StreamListener() {}, true, rules);
            this.salt = salt;
            this.output = ByteBuffer.allocate(maxChunk);
            this.input = ByteBuffer.allocate(maxChunk);
        }

        private int pieces() {
            return 1 + random.nextInt(3);
        }

        private static byte pattern(long position, int salt) {
            long mixed = (position + salt) * 0x9E3779B97F4A7C15L;
            return (byte) (mixed >>> 56);
        }

        private void send(int length) {
            if (finished) {
                return;
            }
            output.clear().limit(length);
            for (int i = 0; i < length; i++) {
                output.put(i, pattern(sent + i, salt));
            }
            int taken = sendPieces(length);
            assertEquals(taken, output.position());
            assertTrue(taken >= 0 && taken <= length);
            sent += taken;
        }

        /** Sends what is in the buffer, in up to three pieces of one write. */
        private int sendPieces(int length) {
            int taken = 0;
            for (int pieces = pieces(); pieces > 1 && taken == output.position(); pieces--) {
                output.limit(output.position() + (length - output.position()) / pieces);
                int wanted = output.remaining();
                int n = engine.outgoing.trySend(output, null, true, false);
                taken += n;
                if (n < wanted) {
                    assertFalse(engine.outgoing.holds(), "held without room");
                    return taken;
                }
            }
            output.limit(length);
            taken += engine.outgoing.trySend(output, null, false, false);
            assertFalse(engine.outgoing.holds(), "held behind the last piece");
            if (reserves && output.hasRemaining() && random.nextBoolean() && engine.outgoing.takeReserve()) {
                taken += engine.outgoing.trySend(output);
            }
            return taken;
        }

        private int receive(int length) {
            input.clear().limit(length);
            int n = engine.incoming.tryReceive(input);
            if (n == Incoming.END_OF_STREAM) {
                assertTrue(peer.finished, "end of stream without a finish");
                assertEquals(peer.sent, received, "end of stream before the last byte");
                ended = true;
                return n;
            }
            assertEquals(n, input.position());
            for (int i = 0; i < n; i++) {
                assertEquals(pattern(received + i, peer.salt), input.get(i), "byte " + (received + i));
            }
            received += n;
            endpoint.read(n);
            assertTrue(received <= peer.sent, "more received than sent");
            return n;
        }

        void finish() {
            finished = true;
            engine.outgoing.finish();
        }

        private boolean quiet() {
            return !engine.owesOutput() && endpoint.underWay() == 0 && endpoint.isEmpty();
        }
    }

    StreamSimulation(long seed, int bufferOfFirst, int bufferOfSecond, int depth) {
        this(seed, FakeEndpoint.pair(bufferOfFirst, bufferOfSecond, depth), Math.max(bufferOfFirst, bufferOfSecond));
    }

    /** @param growUpTo hidden buffers grow at random moments, up to so many bytes, and sometimes find no memory for it */
    StreamSimulation(long seed, int bufferOfFirst, int bufferOfSecond, int depth, int growUpTo) {
        this(seed, growing(bufferOfFirst, bufferOfSecond, depth, growUpTo), Math.max(bufferOfFirst, bufferOfSecond));
        growthLimit = growUpTo;
    }

    private static FakeEndpoint[] growing(int bufferOfFirst, int bufferOfSecond, int depth, int growUpTo) {
        FakeEndpoint[] ends = FakeEndpoint.pair(bufferOfFirst, bufferOfSecond, depth);
        ends[0].limitExposed(growUpTo);
        ends[1].limitExposed(growUpTo);
        return ends;
    }

    private StreamSimulation(long seed, FakeEndpoint[] ends, int longer) {
        random = new Random(seed);
        int maxChunk = longer + 3;
        first = new End(ends[0], 1, maxChunk);
        second = new End(ends[1], 1_000_003, maxChunk);
        first.peer = second;
        second.peer = first;
    }

    /** Has both ends find no room for more than {@code bytes} of writes under way. */
    void limitSendBuffers(int bytes) {
        first.endpoint.limitSendBuffer(bytes);
        second.endpoint.limitSendBuffer(bytes);
    }

    /** Gives both ends two reserves each, the first of {@code bytes}, which they take when they find no room, and like. */
    void reserves(int bytes) {
        growthLimit = 4 * bytes;
        reserves = true;
        first.endpoint.reserve(bytes, 4 * bytes);
        second.endpoint.reserve(bytes, 4 * bytes);
    }

    End first() {
        return first;
    }

    End second() {
        return second;
    }

    void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    /** A whole stream, of which some have little room in the send queue: everything that was written arrives. */
    void liveWhole(long seed) {
        if (seed % 2 == 0) {
            limitSendBuffers(1 + (int) (seed % 37));
        }
        steps(2_000);
        settle();
        steps(200);
        finishBoth();
    }

    private void step() {
        End end = random.nextBoolean() ? first : second;
        if (growthLimit > 0 && random.nextInt(STEPS_PER_GROWTH) == 0) {
            end.endpoint.noMemory(random.nextInt(STEPS_PER_GROWTH) == 0);
            if (!reserves) {
                WantedGrowth.grow(
                        end.engine,
                        Math.min(growthLimit, end.engine.incoming.buffers.arriving.length << 1 + random.nextInt(3)));
            } else {
                rules.slow = random.nextBoolean();
            }
        }
        switch (random.nextInt(ACTIONS)) {
            case 0 -> end.send(1 + random.nextInt(3));
            case 1 -> end.send(random.nextInt(end.output.capacity()));
            case 2 -> end.receive(random.nextInt(end.input.capacity()));
            case 3 -> end.receive(1);
            case 4, 5 -> end.endpoint.deliver(1 + random.nextInt(4));
            case 6 -> end.engine.progress();
            default -> end.engine.flush();
        }
        if (++stepsTaken % STEPS_PER_TRIM == 0 && end.endpoint.moreRoom() instanceof MoreRoom.Shared shared) {
            end.engine.trim(shared);
        }
        assertNoFailure();
    }

    /** Writes at one end only, in single bytes, until nothing more is taken: the hidden buffer must be full then. */
    void fillFromFirst() {
        long before;
        do {
            before = first.sent;
            first.send(1);
        } while (first.sent > before);
    }

    /** Runs the device and both programs' reads until nothing moves any more. */
    void settle() {
        for (int round = 0; round < MAX_SETTLING_ROUNDS; round++) {
            for (End end : new End[] {first, second}) {
                end.endpoint.deliver(Integer.MAX_VALUE);
                end.engine.progress();
                end.engine.flush();
                end.receive(end.input.capacity());
            }
            assertNoFailure();
            boolean nothingUnread = first.received == second.sent && second.received == first.sent;
            if (nothingUnread && first.quiet() && second.quiet()) {
                return;
            }
        }
        throw new AssertionError("the ends wait for each other: first sent " + first.sent + ", received "
                + second.received + ", owes " + first.engine.owesOutput() + "; second sent " + second.sent
                + ", received " + first.received + ", owes " + second.engine.owesOutput());
    }

    /** Closes both ends in order and checks that everything came through. */
    void finishBoth() {
        first.finish();
        second.finish();
        settle();
        first.receive(1);
        second.receive(1);
        assertTrue(first.ended && second.ended, "no end of stream");
        assertTrue(first.engine.outgoing.finSent() && second.engine.outgoing.finSent());
    }

    /** The queue pair of {@code end} fails; what is under way arrives. Neither end may throw or wait for ever. */
    void disconnect(End end) {
        end.endpoint.disconnect(DisconnectReason.ABORT, 0);
        End other = end.peer;
        end.endpoint.deliver(Integer.MAX_VALUE);
        for (End each : new End[] {end, other}) {
            each.engine.progress();
            each.engine.flush();
            each.engine.outgoing.trySend(ByteBuffer.allocate(1));
            each.finish();
        }
        while (other.receive(other.input.capacity()) > 0) {
            other.engine.progress();
        }
    }

    private void assertNoFailure() {
        assertNull(first.engine.failure());
        assertNull(second.engine.failure());
        long capacityOfSecond = Math.max(growthLimit, second.endpoint.exposed().capacity());
        assertTrue(first.engine.outgoing.writableBytes() >= 0
                && first.engine.outgoing.writableBytes() <= capacityOfSecond);
        assertTrue(first.engine.incoming.readableBytes() >= 0 && second.engine.incoming.readableBytes() >= 0);
    }

    /** {@return how often buffers have grown, of both directions} */
    int switches() {
        return first.endpoint.switches() + second.endpoint.switches();
    }

    /** {@return regions of both ends that have not been given back} */
    long regionsInUse() {
        return first.endpoint.regionsInUse() + second.endpoint.regionsInUse();
    }

    long sentByFirst() {
        return first.sent;
    }

    long sentInAll() {
        return first.sent + second.sent;
    }
}

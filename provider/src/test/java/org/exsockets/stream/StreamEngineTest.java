package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.wire.MessageDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamEngineTest {
    private static final long SEED = Long.getLong("exs.test.seed", 1);

    @ParameterizedTest
    @CsvSource({
        "3, 1, 1",
        "3, 2, 64",
        "3, 64, 64",
        "4, 8, 8",
        "4, 4096, 16",
        "4, 4096, 4096",
        "8, 16, 4096",
        "8, 256, 256"
    })
    void allBytesArriveOnceAndInOrder(int depth, int bufferOfFirst, int bufferOfSecond) {
        for (int run = 0; run < 20; run++) {
            long seed = SEED + run;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, bufferOfFirst, bufferOfSecond, depth);
                simulation.liveWhole(seed);
                assertTrue(simulation.sentInAll() > 0);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void aFinishAtAnyStepComesBehindTheLastByte(int depth) {
        for (int step = 0; step < 250; step++) {
            int steps = step;
            long seed = SEED + step % 5;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, 32, 8, depth);
                simulation.limitSendBuffers(11);
                simulation.steps(steps);
                simulation.first().finish();
                simulation.steps(50);
                simulation.finishBoth();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void aDisconnectAtAnyStepIsHarmless(int depth) {
        for (int step = 0; step < 250; step++) {
            int steps = step;
            long seed = SEED + step % 5;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, 8, 32, depth);
                simulation.steps(steps);
                simulation.disconnect(steps % 2 == 0 ? simulation.first() : simulation.second());
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void smallWritesFillTheHiddenBufferWhenCreditsHaveRunOut(int depth) {
        StreamSimulation simulation = new StreamSimulation(1, 64, 1024, depth);
        simulation.fillFromFirst();
        assertEquals(1024, simulation.sentByFirst());
        simulation.finishBoth();
    }

    @Test
    void aFullBufferTakesNothingUntilAQuarterWasRead() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        assertEquals(16, writer.outgoing.writableBytes());
        assertEquals(16, writer.outgoing.trySend(ByteBuffer.allocate(20)));
        assertEquals(0, writer.outgoing.writableBytes());
        assertEquals(0, writer.outgoing.trySend(ByteBuffer.allocate(1)));

        move(ends, writer, reader);
        assertEquals(16, reader.incoming.readableBytes());
        assertEquals(3, receive(reader, ends[1], 3));
        move(ends, writer, reader);
        assertEquals(0, writer.outgoing.writableBytes());
        assertEquals(1, receive(reader, ends[1], 1));
        move(ends, writer, reader);
        assertEquals(4, writer.outgoing.writableBytes());
    }

    @Test
    void aSendBufferWithoutRoomIsWaitedForAndAPeerWithoutRoomIsReported() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        ends[0].limitSendBuffer(10);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        assertEquals(10, writer.outgoing.writableBytes());
        assertEquals(4, writer.outgoing.trySend(ByteBuffer.allocate(4)));
        assertEquals(0, ends[0].awaited());
        assertEquals(6, writer.outgoing.trySend(ByteBuffer.allocate(7)));
        assertEquals(1, ends[0].awaited());
        assertEquals(0, writer.outgoing.writableBytes());

        move(ends, writer, reader);
        assertEquals(10, reader.incoming.readableBytes());
        assertEquals(6, writer.outgoing.writableBytes());
        assertEquals(6, writer.outgoing.trySend(ByteBuffer.allocate(7)));
        assertEquals(2, ends[0].awaited());
    }

    @Test
    void bytesThatADeviceRefusesInSpiteOfRoomEndTheStreamInsteadOfLeavingAHole() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        ends[0].breakPromiseOfRoom();
        assertEquals(0, writer.outgoing.trySend(ByteBuffer.allocate(4)));
        assertTrue(writer.failure().contains("queue full"), writer.failure());
    }

    @Test
    void buffersOfOneWriteArriveTogether() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 64, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        assertEquals(5, writer.outgoing.trySend(ByteBuffer.allocate(5), null, true, false));
        assertEquals(4, writer.outgoing.trySend(ByteBuffer.allocate(4), null, true, false));
        assertTrue(writer.outgoing.holds());
        writer.flush();
        move(ends, writer, reader);
        assertEquals(0, reader.incoming.readableBytes());

        assertEquals(3, writer.outgoing.trySend(ByteBuffer.allocate(3), null, false, false));
        assertFalse(writer.outgoing.holds());
        assertEquals(List.of(12L), readableAfterEach(ends, reader));
    }

    @Test
    void whatIsHeldIsAnnouncedWhenNothingFollows() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 64, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        writer.outgoing.trySend(ByteBuffer.allocate(5), null, true, false);
        writer.outgoing.announceHeld();
        writer.outgoing.announceHeld();
        assertFalse(writer.outgoing.holds());
        assertEquals(List.of(5L), readableAfterEach(ends, reader));
    }

    @Test
    void whatIsHeldIsAnnouncedWhereThereIsNoRoom() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        ends[0].limitSendBuffer(3);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        assertEquals(2, writer.outgoing.trySend(ByteBuffer.allocate(2), null, true, false));
        assertTrue(writer.outgoing.holds());
        assertEquals(1, writer.outgoing.trySend(ByteBuffer.allocate(4), null, true, false));
        assertFalse(writer.outgoing.holds());
        assertEquals(List.of(3L), readableAfterEach(ends, reader));
    }

    @Test
    void noMoreIsHeldThanATransferMayHave() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 64, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        assertEquals(10, writer.outgoing.trySend(ByteBuffer.allocate(10), null, true, false));
        assertEquals(10, writer.outgoing.trySend(ByteBuffer.allocate(10), null, true, false));
        assertTrue(writer.outgoing.holds());
        assertEquals(List.of(16L), readableAfterEach(ends, reader));
        assertEquals(12, writer.outgoing.trySend(ByteBuffer.allocate(12), null, true, false));
        assertFalse(writer.outgoing.holds());
        assertEquals(List.of(32L), readableAfterEach(ends, reader));
    }

    @Test
    void aWriteAcrossTheEndOfTheRingArrivesAtOnce() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 64, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        for (int i = 0; i < 4; i++) {
            writer.outgoing.trySend(ByteBuffer.allocate(15));
            move(ends, writer, reader);
            assertEquals(15, receive(reader, ends[1], 15));
            move(ends, writer, reader);
        }
        assertEquals(10, writer.outgoing.trySend(ByteBuffer.allocate(10)));
        assertEquals(List.of(10L), readableAfterEach(ends, reader));
    }

    /** {@return what a reader finds, whenever that changes while requests take effect one by one} */
    private static List<Long> readableAfterEach(FakeEndpoint[] ends, StreamEngine reader) {
        List<Long> found = new ArrayList<>();
        long before = reader.incoming.readableBytes();
        while (ends[0].underWay() > 0) {
            ends[0].deliver(1);
            reader.progress();
            if (reader.incoming.readableBytes() != before) {
                before = reader.incoming.readableBytes();
                found.add(before);
            }
        }
        return found;
    }

    @Test
    void endOfStreamIsReportedAgainAndAgainBehindTheLastByte() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        writer.outgoing.trySend(ByteBuffer.allocate(2));
        writer.outgoing.finish();
        writer.outgoing.finish();
        assertTrue(writer.outgoing.finSent());
        assertFalse(reader.incoming.finArrived());
        move(ends, writer, reader);
        assertTrue(reader.incoming.finArrived());
        assertEquals(2, receive(reader, ends[1], 5));
        assertEquals(Incoming.END_OF_STREAM, receive(reader, ends[1], 5));
        assertEquals(Incoming.END_OF_STREAM, receive(reader, ends[1], 5));
        assertNull(reader.failure());
    }

    @Test
    void sendAndReceiveRespectPositionAndLimit() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        ByteBuffer source =
                ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6}).position(2).limit(5);
        assertEquals(3, writer.outgoing.trySend(source));
        assertEquals(5, source.position());
        assertEquals(5, source.limit());
        move(ends, writer, reader);
        ByteBuffer target = ByteBuffer.allocate(6).position(1).limit(3);
        assertEquals(2, reader.incoming.tryReceive(target));
        assertEquals(3, target.position());
        assertEquals(0, reader.incoming.tryReceive(target));
        target.limit(6);
        assertEquals(1, reader.incoming.tryReceive(target));
        assertEquals(ByteBuffer.wrap(new byte[] {0, 3, 4, 5, 0, 0}), target.clear());
    }

    @Test
    void anIdlePairExchangesNoMessages() {
        FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 3);
        StreamEngine writer = new StreamEngine(ends[0]);
        StreamEngine reader = new StreamEngine(ends[1]);
        for (int i = 0; i < 100; i++) {
            writer.outgoing.trySend(ByteBuffer.allocate(1));
            move(ends, writer, reader);
            receive(reader, ends[1], 1);
        }
        for (int i = 0; i < 10; i++) {
            move(ends, writer, reader);
        }
        writer.flush();
        reader.flush();
        assertEquals(0, ends[0].underWay() + ends[1].underWay());
        assertFalse(writer.owesOutput() || reader.owesOutput());
    }

    @Test
    void messagesOfTheEngineFitItsReceives() {
        assertTrue(MessageDescriptor.LENGTH <= 48, "soft device: largest payload of a SEND");
    }

    private static void move(FakeEndpoint[] ends, StreamEngine writer, StreamEngine reader) {
        ends[0].deliver(Integer.MAX_VALUE);
        reader.progress();
        ends[1].deliver(Integer.MAX_VALUE);
        writer.progress();
    }

    private static int receive(StreamEngine reader, FakeEndpoint end, int length) {
        int n = reader.incoming.tryReceive(ByteBuffer.allocate(length));
        end.read(Math.max(0, n));
        return n;
    }
}

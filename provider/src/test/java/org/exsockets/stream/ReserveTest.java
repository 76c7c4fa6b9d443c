package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.MessageDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that goes over to its reserve, in every phase of a stream. */
class ReserveTest extends OneWayStream {
    private static final long SEED = Long.getLong("exs.test.seed", 1);
    private static final int RESERVE = 64;
    private static final int SECOND = 256;

    @ParameterizedTest
    @CsvSource({"3, 1, 1", "3, 2, 64", "4, 8, 8", "4, 4, 512", "8, 16, 256"})
    void allBytesArriveOnceAndInOrder(int depth, int bufferOfFirst, int bufferOfSecond) {
        int[] switches = new int[1];
        for (int run = 0; run < 40; run++) {
            long seed = SEED + run;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, bufferOfFirst, bufferOfSecond, depth);
                simulation.reserves(512 << seed % 3);
                simulation.liveWhole(seed);
                switches[0] += simulation.switches();
            });
        }
        assertTrue(switches[0] > 40, "switches: " + switches[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void aFinishOrADisconnectAtAnyStepIsHarmless(int depth) {
        for (int step = 0; step < 400; step++) {
            int steps = step;
            long seed = SEED + step % 7;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, 8, 4, depth);
                simulation.reserves(256);
                simulation.limitSendBuffers(11);
                simulation.steps(steps);
                StreamSimulation.End end = steps % 2 == 0 ? simulation.first() : simulation.second();
                if (steps % 3 == 0) {
                    simulation.disconnect(end);
                } else {
                    end.finish();
                    simulation.steps(50);
                    simulation.finishBoth();
                }
            });
        }
    }

    @Test
    void aWriterIsAheadOfAReaderThatDoesNotReadByBothBuffers() {
        start();
        assertEquals(16, send(100));
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(RESERVE, send(100));
        assertFalse(writer.outgoing.takeReserve(), "once");
        assertEquals(0, send(1));
        assertEquals(List.of(), toldReader);
        move();
        assertEquals(List.of("grown 64"), toldReader);
        assertEquals(RESERVE, reader.incoming.buffers.arriving.length);
        assertEverythingArrives();
        assertTrue(send(100) > 16, "the reserve is what is written to from here on");
        assertEverythingArrives();
    }

    @Test
    void whatIsInTheReserveArrivesThoughTheWriterIsGone() {
        start();
        send(16);
        writer.outgoing.takeReserve();
        send(50);
        ends[0].deliver(Integer.MAX_VALUE);
        reader.progress();
        reader.onPeerClosed(writer.lastWord());
        receive(7);
        receive(30);
        receive(100);
        assertEquals(66, received);
        assertEquals(Incoming.END_OF_STREAM, reader.incoming.tryReceive(ByteBuffer.allocate(1)));
    }

    @Test
    void whoHasRoomTakesNoReserve() {
        start();
        send(15);
        assertFalse(writer.outgoing.takeReserve());
        send(1);
        move();
        receive(16);
        move();
        assertFalse(writer.outgoing.takeReserve());
        assertEquals(16, writer.outgoing.writableBytes());
    }

    @Test
    void theReserveCountsAsRoom() {
        start();
        send(16);
        assertEquals(RESERVE, writer.outgoing.writableBytes());
        ends[0].noMemory(true);
        assertFalse(writer.outgoing.takeReserve());
        assertEquals(List.of("refused 64"), toldWriter);
        assertEquals(0, writer.outgoing.writableBytes());
        assertFalse(writer.outgoing.takeReserve());
        assertEquals(List.of("refused 64"), toldWriter);
        ends[0].noMemory(false);
        assertEquals(RESERVE, writer.outgoing.writableBytes());
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(RESERVE, writer.outgoing.writableBytes());
        assertEquals(40, send(40));
        assertEquals(24, writer.outgoing.writableBytes());
        assertEverythingArrives();
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "8, 16", "9, 32", "16, 32", "17, 64", "1000, 64", "2147483647, 64"})
    void whatTheProgramHasChosenIsDoubledAndIsAtLeastAsMuchAsTheFirstBuffer(int chosen, int reserve) {
        start();
        writer.outgoing.limitAhead(chosen);
        send(16);
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(reserve, send(1000));
        assertEverythingArrives();
    }

    @Test
    void withoutACreditForTheSwitchTheReserveWaits() {
        start();
        for (int i = 0; i < 16; i++) {
            assertEquals(1, send(1));
        }
        assertTrue(writer.owesOutput());
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(0, send(10));
        assertEquals(0, writer.outgoing.writableBytes());
        move();
        assertEquals(10, send(10));
        assertEverythingArrives();
    }

    @Test
    void urgentDataGoesThereToo() {
        start();
        send(16);
        assertEquals(0, writer.outgoing.trySend(ByteBuffer.allocate(1), null, false, true));
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(1, writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {16}), null, false, true));
        sent++;
        reader.incoming.urgent.setInline(true);
        assertEverythingArrives();
    }

    @Test
    void aPeerThatHasTakenNoReserveCannotGoOverToIt() {
        start();
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.LENGTH);
        MessageDescriptor.encode(message, 0, MessageDescriptor.SWITCHED, 0, 1, 0);
        ends[1].inject(
                new FakeEndpoint.Arrival(Opcode.RECV, Status.SUCCESS, message.array(), MessageDescriptor.LENGTH, 0));
        reader.progress();
        assertNotNull(reader.failure());
    }

    @Test
    void aSlowReaderLetsTheWriterTakeASecondOne() {
        startWithSecond();
        assertEquals(16, send(100));
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(RESERVE, send(100));
        rules.slow = true;
        assertFalse(
                writer.outgoing.takeReserve(),
                "nothing of the reserve has been read, and something may be of what is before");
        assertFalse(writer.outgoing.hasSlowReader());
        move();
        receive(16 + RESERVE / 2);
        move();
        rules.slow = false;
        assertEquals(RESERVE / 2, send(100));
        assertFalse(writer.outgoing.takeReserve(), "since when it is full");
        assertFalse(writer.outgoing.hasSlowReader());
        receive(RESERVE / 4);
        move();
        assertEquals(RESERVE / 4, send(100));
        rules.slow = true;
        assertTrue(writer.outgoing.hasSlowReader());
        assertEquals(SECOND, writer.outgoing.writableBytes());
        assertTrue(writer.outgoing.takeReserve());
        assertFalse(writer.outgoing.hasSlowReader(), "there is room");
        assertEquals(SECOND, send(500));
        assertFalse(writer.outgoing.takeReserve(), "there is no third one");
        assertFalse(writer.outgoing.hasSlowReader());
        assertEquals(0, writer.outgoing.writableBytes());
        move();
        assertEquals(List.of("grown 64", "grown 256"), toldReader);
        assertEverythingArrives();
        assertTrue(send(500) > RESERVE);
        assertEverythingArrives();
    }

    @Test
    void aReaderThatIsOnlySlowerThanItsWriterDoesNot() {
        startWithSecond();
        passToReserve();
        for (int i = 0; i < 50; i++) {
            rules.slow = false;
            assertTrue(send(100) > 0);
            assertFalse(writer.outgoing.takeReserve());
            move();
            receive(RESERVE / 2);
            move();
            rules.slow = true;
            assertTrue(send(100) >= RESERVE / 2);
            assertFalse(writer.outgoing.hasSlowReader(), "half of it has been read since it was full");
            move();
            receive(RESERVE / 2);
            move();
        }
        assertEquals(1, ends[1].switches());
        assertEverythingArrives();
    }

    @Test
    void aWriterThatHasRoomDoesNot() {
        startWithSecond();
        passToReserve();
        rules.slow = true;
        send(1000);
        writer.outgoing.takeReserve();
        move();
        receive(1);
        receive(RESERVE / 4);
        move();
        assertTrue(writer.outgoing.writableBytes() > 0);
        assertFalse(writer.outgoing.hasSlowReader());
        assertFalse(writer.outgoing.takeReserve());
    }

    @ParameterizedTest
    @CsvSource({"16, 0", "32, 0", "40, 128", "1000, 256"})
    void whatTheProgramHasChosenBoundsItToo(int chosen, int second) {
        startWithSecond();
        writer.outgoing.limitAhead(chosen);
        fillReserve();
        assertEquals(second > 0, writer.outgoing.hasSlowReader());
        assertEquals(second, writer.outgoing.writableBytes());
        assertEquals(second > 0, writer.outgoing.takeReserve());
        assertEquals(second, send(1000));
        assertEverythingArrives();
    }

    @Test
    void withoutMemoryForItTheWriterWaits() {
        startWithSecond();
        fillReserve();
        assertTrue(writer.outgoing.hasSlowReader());
        ends[0].noMemory(true);
        assertFalse(writer.outgoing.takeReserve());
        assertEquals(List.of("refused 256"), toldWriter);
        assertEquals(0, writer.outgoing.writableBytes());
        assertFalse(writer.outgoing.hasSlowReader());
        assertEverythingArrives();
    }

    @Test
    void aReaderThatHasKeptUpAndPausesHasThreeBuffersToRead() {
        startWithSecond();
        for (int i = 0; i < 10; i++) {
            send(8);
            assertEverythingArrives();
        }
        send(16);
        writer.outgoing.takeReserve();
        assertEquals(RESERVE, send(100));
        rules.slow = false;
        writer.outgoing.takeReserve();
        rules.slow = true;
        assertTrue(writer.outgoing.hasSlowReader());
        move(); // For message credits.
        assertTrue(writer.outgoing.takeReserve());
        assertEquals(SECOND, send(500));
        move();
        receive(3); // An ACK for the first of three comes to a writer that is in the third.
        move();
        receive(5);
        move();
        assertNull(writer.failure());
        receive(300);
        assertEquals(308, received - 80);
        assertEverythingArrives();
        assertTrue(send(500) > RESERVE);
        assertEverythingArrives();
    }

    @Test
    void thereIsNoThirdOneToGoOverTo() {
        startWithSecond();
        fillReserve();
        writer.outgoing.takeReserve();
        send(1000);
        assertEverythingArrives();
        ByteBuffer message = ByteBuffer.allocate(MessageDescriptor.LENGTH);
        MessageDescriptor.encode(message, 0, MessageDescriptor.SWITCHED, 0, 3, sent);
        ends[1].inject(
                new FakeEndpoint.Arrival(Opcode.RECV, Status.SUCCESS, message.array(), MessageDescriptor.LENGTH, 0));
        reader.progress();
        assertNotNull(reader.failure());
    }

    /** The reserve is full, and its reader has been slow since. */
    private void fillReserve() {
        passToReserve();
        send(1000);
        assertFalse(writer.outgoing.takeReserve());
        rules.slow = true;
    }

    private void startWithSecond() {
        ends[0].reserve(RESERVE, SECOND);
        startEngines();
    }

    /** Everything is read, and the reserve is what is written to. */
    private void passToReserve() {
        send(16);
        writer.outgoing.takeReserve();
        send(RESERVE);
        assertEverythingArrives();
    }

    private void start() {
        ends[0].reserve(RESERVE);
        startEngines();
    }
}

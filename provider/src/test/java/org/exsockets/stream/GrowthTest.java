package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hidden buffer that grows, in every phase of a stream. */
class GrowthTest extends OneWayStream {
    private static final long SEED = Long.getLong("exs.test.seed", 1);
    private static final int LONGEST = 1024;

    @ParameterizedTest
    @CsvSource({"3, 1, 1", "3, 2, 64", "4, 8, 8", "4, 4, 512", "8, 16, 256"})
    void allBytesArriveOnceAndInOrderThroughGrowingBuffers(int depth, int bufferOfFirst, int bufferOfSecond) {
        int[] switches = new int[1];
        for (int run = 0; run < 40; run++) {
            long seed = SEED + run;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, bufferOfFirst, bufferOfSecond, depth, LONGEST);
                simulation.liveWhole(seed);
                switches[0] += simulation.switches();
            });
        }
        assertTrue(switches[0] > 40, "switches: " + switches[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void aFinishAtAnyStepOfGrowthComesBehindTheLastByte(int depth) {
        for (int step = 0; step < 400; step++) {
            int steps = step;
            long seed = SEED + step % 7;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, 8, 4, depth, LONGEST);
                simulation.limitSendBuffers(11);
                simulation.steps(steps);
                (steps % 2 == 0 ? simulation.first() : simulation.second()).finish();
                simulation.steps(50);
                simulation.finishBoth();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8})
    void aDisconnectAtAnyStepOfGrowthIsHarmless(int depth) {
        for (int step = 0; step < 400; step++) {
            int steps = step;
            long seed = SEED + step % 7;
            Seeded.run(seed, () -> {
                StreamSimulation simulation = new StreamSimulation(seed, 8, 4, depth, LONGEST);
                simulation.steps(steps);
                simulation.disconnect(steps % 2 == 0 ? simulation.first() : simulation.second());
            });
        }
    }

    @Test
    void aWriterThatWaitsWhileTheReaderReadsGetsALongerBuffer() {
        start(256);
        send(40);
        while (toldReader.isEmpty()) {
            move();
            receive(8);
            send(40);
            assertTrue(received < 200, "waited for in vain");
        }
        assertEquals(List.of("grown 64"), toldReader);
        assertEquals(64, reader.incoming.buffers.arriving.length);
        assertEquals(1, ends[1].switches());
        assertEverythingArrives();
    }

    @Test
    void aWriterOfManyBuffersThatWaitsGetsALongerBufferToo() {
        start(256);
        while (toldReader.isEmpty()) {
            move();
            receive(8);
            for (int i = 0; i < 20 && sendPiece(); i++) {
                assertTrue(received < 200, "waited for in vain");
            }
        }
        writer.outgoing.announceHeld();
        assertEquals(List.of("grown 64"), toldReader);
        assertEverythingArrives();
    }

    /** {@return whether there was room for one byte of a write with more behind it} */
    private boolean sendPiece() {
        int taken = writer.outgoing.trySend(ByteBuffer.allocate(1).put(0, (byte) sent), null, true, false);
        sent += taken;
        return taken > 0;
    }

    @Test
    void theLimitIsReachedAndTheOldBuffersAreGivenBack() {
        start(256);
        for (int i = 0; i < 2_000 && toldReader.size() < 2; i++) {
            send(300);
            move();
            receive(40);
        }
        assertEquals(List.of("grown 64", "grown 256"), toldReader);
        for (int i = 0; i < 200; i++) {
            send(300);
            move();
            receive(40);
        }
        assertEquals(2, toldReader.size());
        assertEverythingArrives();
        send(1);
        assertEverythingArrives();
        // Those of the endpoint are never given back one by one; of the others only the last one is left.
        assertEquals(1, ends[0].regionsInUse());
        assertEquals(2, ends[1].regionsInUse());
    }

    @Test
    void messagesThatFitNeverMakeABufferGrow() {
        start(256);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(16, send(16));
            move();
            receive(16);
            move();
        }
        assertEquals(16, reader.incoming.buffers.arriving.length);
        assertTrue(toldReader.isEmpty());
    }

    @Test
    void aReaderThatDoesNotReadKeepsItsBuffer() {
        start(256);
        for (int i = 0; i < 1_000; i++) {
            send(40);
            move();
        }
        assertEquals(16, reader.incoming.buffers.arriving.length);
        assertEquals(16, sent);
    }

    @Test
    void aFullBufferThatNoCallReadsGetsAllItMayHave() {
        start(256);
        assertEquals(16, send(40));
        move();
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
            reader.growIfFull();
        }
        assertEquals(List.of("grown 256"), toldReader);
        assertEquals(16 + 256, sent);
        assertEverythingArrives();
    }

    @Test
    void whereMemoryIsScarceABufferGrowsByLess() {
        start(256);
        ends[1].scarceMemory(64);
        for (int i = 0; i < 10; i++) {
            send(40);
            move();
            reader.growIfFull();
        }
        assertEquals(List.of("grown 64"), toldReader);
        receive(80);
        ends[1].scarceMemory(1);
        for (int i = 0; i < 10; i++) {
            send(40);
            move();
            reader.growIfFull();
        }
        assertEquals(List.of("grown 64", "grown 128"), toldReader, "not less than twice as long");
        assertEverythingArrives();
    }

    /** So the background thread waits for the credit, if no call of the program does. */
    @Test
    void anAnnouncementThatLacksACreditIsOutputThatIsOwed() {
        start(256);
        for (int i = 0; i < 7; i++) {
            assertEquals(1, reader.outgoing.trySend(ByteBuffer.allocate(1)));
        }
        assertFalse(reader.owesOutput());
        WantedGrowth.grow(reader, 64);
        assertTrue(reader.owesOutput());
        ends[1].deliver(99);
        writer.progress();
        ends[0].deliver(99);
        reader.progress();
        assertFalse(reader.owesOutput());
        ends[1].deliver(99);
        writer.progress();
        assertEquals(64, send(80));
        assertEverythingArrives();
    }

    @Test
    void anAnnouncementBehindTheEndOfTheStreamIsNotOwed() {
        start(256);
        for (int i = 0; i < 7; i++) {
            assertEquals(1, reader.outgoing.trySend(ByteBuffer.allocate(1)));
        }
        WantedGrowth.grow(reader, 64);
        writer.outgoing.finish();
        ends[0].deliver(99);
        reader.progress();
        assertFalse(reader.owesOutput());
    }

    @Test
    void aBufferWithRoomStaysAsItIs() {
        start(256);
        assertEquals(15, send(15));
        move();
        reader.growIfFull();
        receive(1);
        reader.onEnding();
        send(2);
        move();
        reader.growIfFull();
        assertTrue(toldReader.isEmpty());
        assertEverythingArrives();
    }

    @Test
    void theBytesThatFillABufferWakeThePeersDevice() {
        start(256);
        send(15);
        assertEquals(0, ends[0].solicited);
        send(1);
        assertEquals(1, ends[0].solicited);
        move();
        receive(16);
        move();
        send(16);
        assertEquals(2, ends[0].solicited);
    }

    /** Without message credits they are announced together, later. */
    @Test
    void soDoBytesThatAreAnnouncedTogether() {
        start(256);
        for (int i = 0; i < 16; i++) {
            assertEquals(1, send(1));
        }
        assertEquals(0, ends[0].solicited);
        move();
        move();
        assertEquals(1, ends[0].solicited);
        assertEverythingArrives();
    }

    @Test
    void whereNeitherEndHasRoomTheBufferGetsAllItMayHave() {
        start(256);
        fillWayBack();
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
        }
        assertEquals(List.of("grown 256"), toldReader);
        assertEquals(16 + 256, sent);
        assertEverythingArrives();
    }

    @Test
    void whereNeitherEndHasRoomMemoryIsAskedForOnce() {
        start(256);
        ends[1].noMemory(true);
        fillWayBack();
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
        }
        assertEquals(List.of("refused 256"), toldReader);
        assertEverythingArrives();
    }

    @Test
    void whoIsEndingMakesNoRoom() {
        start(256);
        fillWayBack();
        reader.onEnding();
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
        }
        assertTrue(toldReader.isEmpty());
    }

    @Test
    void whoHasWrittenAllMakesNoRoom() {
        start(256);
        fillWayBack();
        reader.outgoing.finish();
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
        }
        assertTrue(toldReader.isEmpty());
    }

    /** The reader writes until the writer has no room for more. */
    private void fillWayBack() {
        assertEquals(16, reader.outgoing.trySend(ByteBuffer.allocate(40)));
        move();
    }

    @Test
    void withoutMemoryTheBufferStaysAndTheStreamGoesOn() {
        start(256);
        ends[1].noMemory(true);
        for (int i = 0; i < 100; i++) {
            send(40);
            move();
            receive(8);
        }
        assertEquals(List.of("refused 64"), toldReader);
        assertEquals(16, reader.incoming.buffers.arriving.length);
        assertEverythingArrives();
    }

    @Test
    void bytesInTheOldBufferAreReadFirstAndOneReadCrossesOver() {
        start(256);
        assertEquals(16, send(16));
        ends[0].deliver(1);
        reader.progress();
        WantedGrowth.grow(reader, 64);
        assertEquals(0, writer.outgoing.writableBytes());
        ends[1].deliver(9);
        assertFalse(toldReader.contains("grown 64"));
        writer.progress();
        assertEquals(64, writer.outgoing.writableBytes(), "room in the announced buffer counts");
        assertEquals(32, send(32));
        assertEquals(32, writer.outgoing.writableBytes());
        ends[0].deliver(99);
        reader.progress();
        assertEquals(List.of("grown 64"), toldReader);
        assertEquals(48, reader.incoming.readableBytes());
        receive(10);
        assertEquals(2, ends[1].regionsInUse());
        receive(30);
        receive(8);
        assertEquals(48, received);
        assertEverythingArrives();
    }

    @Test
    void roomThatWasPlacedWithoutAnnouncementIsAnnouncedBeforeTheSwitch() {
        start(256);
        // Eight messages, of which one must stay: the others are placed and wait for a credit.
        for (int i = 0; i < 12; i++) {
            assertEquals(1, send(1));
        }
        assertTrue(writer.owesOutput());
        WantedGrowth.grow(reader, 64);
        ends[1].deliver(99);
        writer.progress();
        assertEquals(4, writer.outgoing.writableBytes());
        assertEquals(4, send(10), "no credit for the switch: the old buffer is filled");
        assertEquals(0, writer.outgoing.writableBytes());
        move();
        assertTrue(writer.outgoing.writableBytes() > 0);
        assertEquals(20, send(20));
        move();
        assertEquals(List.of("grown 64"), toldReader);
        assertEverythingArrives();
    }

    private void start(int limitOfReader) {
        ends[1].limitExposed(limitOfReader);
        startEngines();
    }
}

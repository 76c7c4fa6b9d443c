package org.exsockets.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import org.exsockets.memory.FailedMemory;
import org.exsockets.packet.PacketEnd.Named;
import org.exsockets.stream.FakeEndpoint;
import org.exsockets.stream.ProgramGrants;
import org.exsockets.verbs.DisconnectReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketEngineTest {
    private static final int STAGING = 256;
    private static final int DEPTH = 8;

    private final PacketEnd a;
    private final PacketEnd b;

    PacketEngineTest() {
        PacketEnd[] ends = PacketEnd.pair(STAGING, DEPTH);
        a = ends[0];
        b = ends[1];
    }

    private void settle() {
        PacketEnd.settle(a, b);
        assertNull(a.engine.failure());
        assertNull(b.engine.failure());
    }

    private static String text(ByteBuffer memory, int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    // Packets.

    @Test
    void packetsKeepTheirBoundariesAndTheOrderOfTheReceives() {
        Named first = b.receive("r1", 10);
        Named second = b.receive("r2", 10);
        settle();
        a.send("s1", "abc");
        a.send("s2", "defg");
        assertEquals("s1 DONE, s2 DONE", a.ended());
        settle();
        assertEquals("r1 DONE, r2 DONE", b.ended());
        assertEquals("abc", first.text());
        assertEquals("defg", second.text());
        assertEquals(4, second.packetLength);
        assertEquals(0, second.movedDirect);
        assertEquals(2, a.engine.sentPackets());
    }

    @Test
    void packetsWaitForReceives() {
        a.send("s1", "abc");
        settle();
        assertEquals("", a.ended());
        assertTrue(a.engine.owesPackets());
        assertTrue(a.endpoint.awaited() > 0, "the device was not told that the peer has no room");
        b.receive("r1", 3);
        settle();
        assertEquals("s1 DONE", a.ended());
        assertEquals("r1 DONE", b.ended());
        assertFalse(a.engine.owesPackets());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsTooLongIsCutAndItsLengthTold(boolean directly) {
        Named receive = directly ? b.receiveDirectly("r1", grantOfAll(b), 4) : b.receive("r1", 4);
        settle();
        a.send("s1", "abcdefgh");
        settle();
        assertEquals("r1 DONE", b.ended());
        assertEquals("abcd", receive.text());
        assertEquals(4, receive.moved);
        assertEquals(directly ? 4 : 0, receive.movedDirect);
        assertEquals(8, receive.packetLength);
        assertEquals(0, receive.memory.get(receive.offset + 4));
    }

    @Test
    void packetsWithoutBytesAndReceivesWithoutRoom() {
        Named empty = b.receive("r1", 10);
        Named none = b.receive("r2", 0);
        Named both = b.receive("r3", 0);
        settle();
        a.send("s1", "");
        a.send("s2", "abc");
        a.send("s3", "");
        settle();
        assertEquals("r1 DONE, r2 DONE, r3 DONE", b.ended());
        assertEquals(0, empty.moved + none.moved + both.moved);
        assertEquals(0, empty.packetLength);
        assertEquals(3, none.packetLength);
        assertEquals(0, both.packetLength);
    }

    /** The head goes to the memory, the tail through staging. */
    @Test
    void aReceiveOfWhichOnlyAPartCanBeAdvertised() {
        ProgramGrants.Grant grant = grantOfAPart(b);
        Named receive = b.receiveDirectly("r1", grant, 12);
        settle();
        a.send("s1", "abcdefghijkl");
        settle();
        assertEquals("abcdefghijkl", receive.text());
        assertEquals(8, receive.movedDirect);
        b.endpoint.grants().giveBack(grant);
    }

    @Test
    void aPacketGoesInPiecesWhereTheDeviceTakesNoMore() {
        a.endpoint.limitSendBuffer(3);
        Named receive = b.receive("r1", 10);
        settle();
        a.send("s1", "abcdefgh");
        assertEquals("", a.ended());
        settle();
        assertEquals("abcdefgh", receive.text());
        assertEquals("s1 DONE", a.ended());
    }

    @Test
    void aReceiveTooLongForStagingIsRefusedAndHoldsNothing() {
        assertThrows(IllegalArgumentException.class, () -> b.receive("r1", STAGING / 2 + 1));
        ProgramGrants.Grant grant = grantOfAll(b);
        b.receiveDirectly("r2", grant, STAGING / 2 + 1);
        settle();
        a.send("s1", "a");
        settle();
        assertEquals("r2 DONE", b.ended());
        b.endpoint.grants().giveBack(grant);
    }

    @Test
    void receivesWaitForStagingAndAllOfItComesBack() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 4; i++) {
                b.receive("r" + i, STAGING / 2 - 10 * i);
            }
            settle();
            for (int i = 0; i < 4; i++) {
                a.send("s" + i, "x".repeat(STAGING / 2 - 10 * i));
            }
            settle();
            assertEquals("r0 DONE, r1 DONE, r2 DONE, r3 DONE", b.ended());
            assertEquals("s0 DONE, s1 DONE, s2 DONE, s3 DONE", a.ended());
        }
    }

    /** A receive that has no piece of staging ends where its elder's piece ends; giving back nothing must not give that. */
    @Test
    void cancellingAReceiveWithoutStagingLeavesTheOneBeforeItItsPiece() {
        Named elder = b.receive("elder", STAGING / 2);
        ProgramGrants.Grant grant = grantOfAll(b);
        Named direct = b.receiveDirectly("direct", grant, 8);
        settle();
        b.engine.cancel(direct);
        settle();
        assertEquals("direct CANCELLED", b.ended());
        Named third = b.receive("third", STAGING / 2);
        Named fourth = b.receive("fourth", STAGING / 2);
        settle();
        a.send("s1", "1".repeat(STAGING / 2));
        a.send("s2", "2".repeat(STAGING / 2));
        a.send("s3", "3".repeat(STAGING / 2));
        settle();
        assertEquals("elder DONE, third DONE, fourth DONE", b.ended());
        assertEquals("1".repeat(STAGING / 2), elder.text());
        assertEquals("2".repeat(STAGING / 2), third.text());
        assertEquals("3".repeat(STAGING / 2), fourth.text());
        b.endpoint.grants().giveBack(grant);
    }

    @Test
    void idsAndStagingGoRoundManyTimes() {
        int packets = 3 * new SmallPacketRules().idLimit() + 1;
        for (int i = 0; i < packets; i++) {
            Named receive = b.receive("r", 50);
            settle();
            a.send("s", "packet " + i);
            settle();
            assertEquals("packet " + i, receive.text());
        }
        assertEquals(packets, a.engine.sentPackets());
    }

    @Test
    void theProtocolsOwnIdsGoRound() {
        PacketEnd[] ends = PacketEnd.pair(STAGING, DEPTH, PacketRules.PROTOCOL);
        int packets = PacketRules.PROTOCOL.idLimit() + 10;
        for (int i = 0; i < packets; i++) {
            Named receive = ends[1].receive("r", 5);
            PacketEnd.settle(ends);
            ends[0].send("s", "p" + i % 1000);
            PacketEnd.settle(ends);
            assertEquals("p" + i % 1000, receive.text());
            ends[0].ended.clear();
            ends[1].ended.clear();
        }
        assertNull(ends[0].engine.failure());
        assertNull(ends[1].engine.failure());
    }

    @Test
    void noMoreAdvertsThanThePeerTakesAreOutAtATime() {
        int receives = 3 * new SmallPacketRules().advertLimit();
        for (int i = 0; i < receives; i++) {
            b.receive("r", 1);
        }
        settle();
        for (int i = 0; i < receives; i++) {
            a.send("s", "x");
        }
        settle();
        assertEquals(receives, b.ended.size());
    }

    @Test
    void bothDirectionsOfALongExchangeNeverRunOutOfCredits() {
        for (int i = 0; i < 40; i++) {
            a.receive("r", 2);
            b.receive("r", 2);
            a.send("s", "ab");
            b.send("s", "cd");
        }
        settle();
        assertEquals(80, a.ended.size());
        assertEquals(80, b.ended.size());
    }

    /** What the listener begins is sent by the call that called it. */
    @Test
    void theListenerMayBeginTransfers() {
        FakeEndpoint[] ends = FakeEndpoint.unorderedPair(STAGING, STAGING, DEPTH);
        PacketEnd sender = new PacketEnd(ends[0], new SmallPacketRules());
        PacketEngine[] echo = new PacketEngine[1];
        echo[0] = new PacketEngine(
                ends[1],
                (transfer, how) -> {
                    if (transfer instanceof Named named && named.name.equals("in")) {
                        echo[0].send(new Named("out", named.memory, named.offset, named.moved));
                        echo[0].receive(new Named("in", ByteBuffer.allocate(10), 0, 10));
                    }
                },
                new SmallPacketRules());
        echo[0].receive(new Named("in", ByteBuffer.allocate(10), 0, 10));
        for (String text : new String[] {"one", "two", "three"}) {
            Named answer = sender.receive("answer", 10);
            ends[1].deliver(10);
            sender.engine.progress();
            sender.send("s", text);
            for (int i = 0; i < 4; i++) {
                ends[0].deliver(10);
                echo[0].progress();
                ends[1].deliver(10);
                sender.engine.progress();
            }
            assertEquals(text, answer.text());
        }
    }

    // Memory that fails.

    private void failOnce(PacketEnd end, int writesBefore) {
        int[] left = {writesBefore};
        end.endpoint.memoryFails(() -> left[0]-- == 0);
    }

    @Test
    void aPacketThatCannotBeReadIsNotSentAndTheNextOneTakesItsPlace() {
        for (int i = 0; i < 3 * DEPTH; i++) {
            Named receive = b.receive("r", 10);
            settle();
            failOnce(a, 0);
            assertInstanceOf(FailedMemory.class, a.send("bad", "abc").failure);
            a.send("good", "defg");
            settle();
            assertEquals("bad MEMORY_FAILED, good DONE", a.ended());
            assertEquals("r DONE", b.ended());
            assertEquals("defg", receive.text());
        }
        assertEquals(3 * DEPTH, a.engine.sentPackets());
    }

    @Test
    void aPacketThatFailsHalfWayIsNotSent() {
        a.endpoint.limitSendBuffer(3);
        Named receive = b.receive("r1", 10);
        settle();
        failOnce(a, 2);
        a.send("s1", "abcdefgh");
        a.send("s2", "ij");
        settle();
        assertEquals("s1 MEMORY_FAILED, s2 DONE", a.ended());
        assertEquals("ij", receive.text());
        assertEquals(2, receive.packetLength);
    }

    /** The CANCELLED that has waited for the packet is sent, and the receive behind it gets what follows. */
    @Test
    void aPacketThatFailsHalfWayLeavesAReceiveThatWasCancelled() {
        a.endpoint.limitSendBuffer(3);
        Named first = b.receive("r1", 10);
        Named second = b.receive("r2", 10);
        settle();
        failOnce(a, 2);
        a.send("s1", "abcdefgh");
        b.engine.cancel(first);
        b.endpoint.deliver(10);
        a.engine.progress();
        a.send("s2", "ij");
        settle();
        assertEquals("s1 MEMORY_FAILED, s2 DONE", a.ended());
        assertEquals("r1 CANCELLED, r2 DONE", b.ended());
        assertEquals("ij", second.text());
    }

    @Test
    void aPacketThatCannotBeStoredIsLostAndTheNextOneArrives() {
        Named failing = b.receive("r1", 4);
        Named next = b.receive("r2", 4);
        failing.memory = failing.memory.asReadOnlyBuffer();
        settle();
        a.send("s1", "ab");
        a.send("s2", "cd");
        settle();
        assertEquals("r1 MEMORY_FAILED, r2 DONE", b.ended());
        assertInstanceOf(ReadOnlyBufferException.class, failing.failure);
        assertEquals(0, failing.moved);
        assertEquals("cd", next.text());
    }

    @Test
    void aWriteThatCannotBeReadIsNotToldOf() {
        ProgramGrants.Grant grant = grantOfAll(b);
        Exports.Local export = b.engine.exports().add(grant.memory(), 0, 10);
        b.engine.flush();
        b.receive("r1", 10);
        settle();
        failOnce(a, 0);
        a.write("w1", export.number, 0, "abc", true);
        a.write("w2", export.number, 3, "def", true);
        settle();
        assertEquals("w1 MEMORY_FAILED, w2 DONE", a.ended());
        assertEquals("r1 DONE", b.ended());
        assertEquals("def", text(grant.memory(), 3, 3));
        assertTrue(b.engine.exports().takeBack(export, () -> b.endpoint.grants().giveBack(grant)));
        b.engine.flush();
        settle();
    }

    // Cancelling.

    @Test
    void aReceiveWithoutAdvertIsCancelledAtOnce() {
        for (int i = 0; i < new SmallPacketRules().advertLimit(); i++) {
            b.receive("r" + i, 1);
        }
        Named waiting = b.receive("waiting", 1);
        b.engine.cancel(waiting);
        assertEquals("waiting CANCELLED", b.ended());
    }

    @Test
    void anAdvertisedReceiveIsCancelledWhenThePeerHasAnswered() {
        Named first = b.receive("r1", 1);
        Named second = b.receive("r2", 1);
        settle();
        b.engine.cancel(first);
        b.engine.cancel(first);
        assertEquals("", b.ended());
        a.send("s1", "x");
        settle();
        // The packet was sent before the CANCEL was known.
        assertEquals("r1 DONE", b.ended());
        b.engine.cancel(second);
        settle();
        assertEquals("r2 CANCELLED", b.ended());
        a.send("s2", "y");
        settle();
        assertEquals("s1 DONE", a.ended());
        Named third = b.receive("r3", 1);
        settle();
        assertEquals("y", third.text());
    }

    @Test
    void thePacketThatIsHalfUnderWayStillEndsItsReceiveOfWhichACancelComes() {
        a.endpoint.limitSendBuffer(3);
        Named receive = b.receive("r1", 10);
        Named next = b.receive("r2", 10);
        settle();
        a.send("s1", "abcdefgh");
        b.engine.cancel(receive);
        b.endpoint.deliver(10);
        a.engine.progress();
        settle();
        assertEquals("r1 DONE", b.ended());
        assertEquals("abcdefgh", receive.text());
        a.send("s2", "second");
        settle();
        assertEquals("second", next.text());
    }

    @Test
    void sendsThatHaveNotBegunAreCancelledAtOnceOthersGoOn() {
        a.endpoint.limitSendBuffer(3);
        Named first = a.send("s1", "abcdefgh");
        Named second = a.send("s2", "second");
        a.engine.cancel(second);
        assertEquals("s2 CANCELLED", a.ended());
        b.receive("r1", 10);
        b.endpoint.deliver(10);
        a.engine.progress();
        assertTrue(first.moved > 0 && first.moved < 8);
        a.engine.cancel(first);
        settle();
        assertEquals("s1 DONE", a.ended());
        a.engine.cancel(first);
        settle();
        assertEquals("r1 DONE", b.ended());
        assertEquals("", a.ended());
    }

    // Exports.

    private Exports.Local export(ProgramGrants.Grant grant, int offset, int length) {
        Exports.Local local = b.engine.exports().add(grant.memory(), offset, length);
        b.engine.flush();
        settle();
        return local;
    }

    /** {@return memory of which any range can be advertised} */
    private static ProgramGrants.Grant grantOfAll(PacketEnd end) {
        return grant(end, 7);
    }

    /** {@return memory of which ranges can be advertised in multiples of eight only} */
    private static ProgramGrants.Grant grantOfAPart(PacketEnd end) {
        return grant(end, 0);
    }

    private static ProgramGrants.Grant grant(PacketEnd end, int rest) {
        while (true) {
            ProgramGrants.Grant grant = end.endpoint.grants().lend();
            if (grant.advertisable(grant.memory(), 0, 7) == rest) {
                return grant;
            }
        }
    }

    @Test
    void writesGoToTheirPlacesAndNotificationsComeBehindThem() {
        ProgramGrants.Grant grant = grantOfAll(b);
        Exports.Local local = export(grant, 10, 20);
        assertEquals(1, local.number);
        a.write("w1", 1, 0, "begin", false);
        a.write("w2", 1, 17, "end", true);
        settle();
        assertEquals("w1 DONE", a.ended());
        Named told = b.receive("r1", 5);
        settle();
        assertEquals("w2 DONE", a.ended());
        assertEquals("r1 DONE", b.ended());
        assertEquals(1, told.notifiedExport);
        assertEquals(17, told.notifiedOffset);
        assertEquals(3, told.notifiedLength);
        assertEquals(0, told.moved);
        assertEquals("begin", text(grant.memory(), 10, 5));
        assertEquals("end", text(grant.memory(), 27, 3));
        assertEquals(0, grant.memory().get(9) + grant.memory().get(30));
    }

    @Test
    void writesAndPacketsKeepOneOrder() {
        ProgramGrants.Grant grant = grantOfAll(b);
        export(grant, 0, 5);
        a.send("s1", "x");
        a.write("w1", 1, 0, "after", false);
        settle();
        assertEquals(0, grant.memory().get(0));
        b.receive("r1", 1);
        settle();
        assertEquals("s1 DONE, w1 DONE", a.ended());
        assertEquals("after", text(grant.memory(), 0, 5));
    }

    @Test
    void writesBeyondAnExportOrToNoneEndWithoutWriting() {
        ProgramGrants.Grant grant = grantOfAll(b);
        export(grant, 0, 8);
        a.write("beyond", 1, 7, "ab", false);
        a.write("before", 1, -1, "a", false);
        a.write("far", 1, Long.MAX_VALUE, "a", false);
        a.write("none", 2, 0, "a", true);
        a.write("zero", 1, 8, "", false);
        settle();
        assertEquals("beyond NO_EXPORT, before NO_EXPORT, far NO_EXPORT, none NO_EXPORT, zero DONE", a.ended());
        for (int i = 0; i < grant.memory().capacity(); i++) {
            assertEquals(0, grant.memory().get(i));
        }
    }

    @Test
    void anExportIsTakenBackWhenThePeerHasAnswered() {
        ProgramGrants.Grant grant = grantOfAll(b);
        Exports.Local local = export(grant, 0, 8);
        a.write("w1", 1, 0, "a", false);
        boolean[] over = new boolean[1];
        assertTrue(b.engine.exports().takeBack(local, () -> over[0] = true));
        assertFalse(b.engine.exports().takeBack(local, () -> {}));
        b.engine.flush();
        assertFalse(over[0]);
        settle();
        assertTrue(over[0]);
        b.endpoint.grants().giveBack(grant);
        a.write("w2", 1, 0, "b", false);
        settle();
        assertEquals("w1 DONE, w2 NO_EXPORT", a.ended());
        assertFalse(b.engine.exports().takeBack(local, () -> {}));
    }

    @Test
    void anExportThatIsTakenBackBeforeThePeerHasHeardOfIt() {
        ProgramGrants.Grant grant = grantOfAll(b);
        Exports.Local local = b.engine.exports().add(grant.memory(), 0, 8);
        boolean[] over = new boolean[1];
        assertTrue(b.engine.exports().takeBack(local, () -> over[0] = true));
        b.engine.flush();
        settle();
        assertTrue(over[0]);
        b.endpoint.grants().giveBack(grant);
        Exports.Local next = export(grantOfAll(b), 0, 8);
        assertEquals(2, next.number);
    }

    @Test
    void memoryThatCannotBeAdvertisedAsAWholeIsNotExported() {
        ProgramGrants.Grant grant = grantOfAPart(b);
        assertNull(b.engine.exports().add(grant.memory(), 0, 7));
        assertNull(b.engine.exports().add(ByteBuffer.allocateDirect(10), 0, 10));
        b.endpoint.grants().giveBack(grant);
    }

    @Test
    void writesToMemoryThatThisEndCannotReachEndWithoutWriting() {
        b.endpoint.grants().reachable(false);
        export(grantOfAll(b), 0, 8);
        a.write("w1", 1, 0, "a", false);
        assertEquals("w1 NO_EXPORT", a.ended());
        settle();
    }

    @Test
    void thereIsAnEndToExports() {
        ProgramGrants.Grant grant = grantOfAll(b);
        Exports.Local last = null;
        for (int i = 0; i < Exports.MAX_EXPORTS; i++) {
            assertFalse(b.engine.exports().isFull());
            last = b.engine.exports().add(grant.memory(), 0, 1);
        }
        b.engine.flush();
        settle();
        assertTrue(b.engine.exports().isFull());
        b.engine.exports().takeBack(last, () -> {});
        assertTrue(b.engine.exports().isFull(), "the peer has not heard of it yet");
        b.engine.flush();
        settle();
        assertFalse(b.engine.exports().isFull());
    }

    /** Nothing of a write is told to the peer before its notification. */
    @Test
    void aWriteIsCancelledWhereverItIsUntilItsNotificationIsSent() {
        ProgramGrants.Grant grant = grantOfAll(b);
        export(grant, 0, 8);
        Named whole = a.write("whole", 1, 0, "abc", true);
        assertEquals(3, whole.moved);
        a.engine.cancel(whole);
        assertEquals("whole CANCELLED", a.ended());
        settle();
        a.endpoint.limitSendBuffer(3);
        Named half = a.write("half", 1, 0, "abcdefgh", false);
        assertTrue(half.moved > 0 && half.moved < 8);
        a.engine.cancel(half);
        assertEquals("half CANCELLED", a.ended());
        settle();
        Named next = b.receive("r1", 5);
        settle();
        a.send("s1", "next");
        settle();
        assertEquals("s1 DONE", a.ended());
        assertEquals("r1 DONE", b.ended());
        assertEquals("next", next.text());
        assertEquals(0, next.notifiedExport);
    }

    // Endings.

    @Test
    void theEndComesBehindThePacketsAndEndsReceives() {
        a.send("s1", "x");
        a.engine.finish();
        a.engine.finish();
        assertTrue(a.engine.finishing());
        assertThrows(IllegalStateException.class, () -> a.send("s2", "y"));
        settle();
        assertFalse(b.engine.finArrived());
        for (int i = 0; i < 6; i++) {
            b.receive("r" + i, 1);
        }
        settle();
        assertEquals(
                "r0 DONE, r1 END_OF_STREAM, r2 END_OF_STREAM, r3 END_OF_STREAM, r4 END_OF_STREAM, r5 END_OF_STREAM",
                b.ended());
        b.receive("late", 1);
        assertEquals("late END_OF_STREAM", b.ended());
        assertTrue(b.engine.finArrived());
        // The other direction goes on, and ends by itself.
        Named back = a.receive("back", 5);
        settle();
        b.send("s3", "still");
        settle();
        assertEquals("still", back.text());
        b.engine.finish();
        a.receive("last", 1);
        settle();
        assertEquals("s1 DONE, back DONE, last END_OF_STREAM", a.ended());
    }

    @Test
    void theEndAlsoEndsAReceiveThatIsBeingCancelled() {
        Named receive = b.receive("r1", 1);
        settle();
        b.engine.cancel(receive);
        a.engine.finish();
        a.endpoint.deliver(10);
        b.engine.progress();
        assertEquals("r1 END_OF_STREAM", b.ended());
        settle();
        assertEquals("", b.ended());
    }

    @Test
    void aCloseInOrderTellsTheEndWithTheDisconnect() {
        b.receive("r1", 1);
        b.receive("r2", 1);
        settle();
        a.send("s1", "x");
        a.endpoint.deliver(10);
        a.endpoint.disconnect(DisconnectReason.ORDERLY, a.engine.sentPackets());
        b.engine.progress();
        b.engine.onPeerClosed(b.endpoint.peerLastWord());
        b.engine.onPeerClosed(99);
        assertNull(b.engine.failure(), "the first end counts");
        assertEquals("r1 DONE, r2 END_OF_STREAM", b.ended());
    }

    @Test
    void aCloseWithAPacketMissingIsAViolation() {
        b.receive("r1", 1);
        settle();
        a.send("s1", "x");
        b.engine.onPeerClosed(1);
        assertNotNull(b.engine.failure());
        assertEquals("", b.ended());
    }

    @Test
    void aResetTakesEverythingBackWhateverIsUnderWay() {
        ProgramGrants.Grant exported = grantOfAll(b);
        ProgramGrants.Grant received = grantOfAll(b);
        export(exported, 0, 8);
        Named direct = b.receiveDirectly("direct", received, 8);
        Named cancelling = b.receive("cancelling", 8);
        settle();
        b.engine.cancel(cancelling);
        for (int i = 0; i < 4; i++) {
            b.receive("waiting", 8);
        }
        b.send("s1", "nobody receives it");
        assertTrue(b.engine.peerMayWrite(direct));
        assertFalse(b.engine.peerMayWrite(cancelling));
        a.write("w1", 1, 0, "late", false);
        a.send("s2", "late");
        b.endpoint.disconnect(DisconnectReason.ABORT, 0);
        b.engine.fence();
        int taken = 0;
        while (b.engine.takeBack() != null) {
            taken++;
        }
        assertEquals(7, taken);
        assertNotNull(b.engine.exports().takeAway());
        assertNull(b.engine.exports().takeAway());
        b.endpoint.grants().giveBack(exported);
        b.endpoint.grants().giveBack(received);
        // Strict memory: what arrives now would throw if it were written there.
        a.endpoint.deliver(10);
        assertEquals(0, exported.memory().get(0) + received.memory().get(0));
        assertEquals("", b.ended());
        int posted = b.endpoint.underWay();
        b.engine.flush();
        b.engine.finish();
        assertEquals(posted, b.endpoint.underWay());
    }

    @Test
    void aSendQueueThatIsFullInSpiteOfItsPromiseIsAFailure() {
        b.receive("r1", 1);
        settle();
        a.endpoint.breakPromiseOfRoom();
        a.send("s1", "x");
        assertEquals("send queue full in spite of room", a.engine.failure());
    }

    @Test
    void memoryAdvertisedThatThisEndCannotReachIsAFailure() {
        b.endpoint.grants().reachable(false);
        b.receiveDirectly("r1", grantOfAll(b), 8);
        PacketEnd.settle(a, b);
        assertEquals(
                "memory that the peer has advertised cannot be written to from here: length=8", a.engine.failure());
    }
}

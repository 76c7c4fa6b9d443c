package org.exsockets.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.packet.PacketEnd.Named;
import org.exsockets.stream.FakeEndpoint;
import org.exsockets.stream.ProgramGrants;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;
import org.exsockets.wire.PacketMessageDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the protocol that a peer may break: a failure is told, nothing is thrown, no memory is touched. */
class HostilePacketPeerTest {
    private static final int STAGING = 256;
    private static final int DEPTH = 8;
    private static final byte FILLER = 0x5A;

    private final PacketEnd end;
    private final FakeEndpoint peer;

    /** Advertised as id 0, of 16 bytes; the one behind it as id 1. */
    private final Named oldest;

    private final Named second;

    /** Export number 1, of 16 bytes. */
    private final ProgramGrants.Grant exported;

    HostilePacketPeerTest() {
        FakeEndpoint[] ends = FakeEndpoint.unorderedPair(STAGING, STAGING, DEPTH);
        end = new PacketEnd(ends[0], new SmallPacketRules());
        peer = ends[1];
        peer.postReceives();
        oldest = end.receive("r1", 16);
        second = end.receive("r2", 16);
        exported = end.endpoint.grants().lend();
        assertNotNull(end.engine.exports().add(exported.memory(), 0, 16));
        end.engine.flush();
        for (ByteBuffer each : new ByteBuffer[] {oldest.memory, second.memory, exported.memory()}) {
            Arrays.fill(each.array(), FILLER);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // type, credits, id, total, address, rkey, offset, length, message
        "0,  0, 0, 0, 0, 0, 0, 0, message of unknown type",
        "11, 0, 0, 0, 0, 0, 0, 0, message of unknown type",
        "-1, 0, 0, 0, 0, 0, 0, 0, message of unknown type",
        "127, 0, 0, 0, 0, 0, 0, 0, message of unknown type",
        // Three messages of this end are under way: so many credits may come back.
        "1, 4, 0, 0, 0, 0, 0, 0, more message credits returned than there are",
        "1, 65535, 0, 0, 0, 0, 0, 0, more message credits returned than there are",
        "3, 4, 0, 16, 0, 0, 0, 16, more message credits returned than there are",
        "2, 0, -1, 8, 0, 0, 0, 0, 'ADVERT with an impossible id, or one too many'",
        "2, 0, 16, 8, 0, 0, 0, 0, 'ADVERT with an impossible id, or one too many'",
        "2, 0, 2147483647, 8, 0, 0, 0, 0, 'ADVERT with an impossible id, or one too many'",
        "2, 0, 0, -1, 0, 0, 0, 0, ADVERT of impossible length",
        "2, 0, 0, 2147483648, 0, 0, 0, 0, ADVERT of impossible length",
        "2, 0, 0, 9223372036854775807, 0, 0, 0, 0, ADVERT of impossible length",
        "2, 0, 0, 8, 0, 0, 0, 9, ADVERT of impossible length",
        "2, 0, 0, 8, 0, 0, 0, -1, ADVERT of impossible length",
        "2, 0, 0, 8, 0, 0, -1, 0, ADVERT beyond what is exposed",
        "2, 0, 0, 8, 0, 0, 249, 0, ADVERT beyond what is exposed",
        "2, 0, 0, 257, 0, 0, 0, 0, ADVERT beyond what is exposed",
        "2, 0, 0, 2147483647, 0, 0, 2147483647, 0, ADVERT beyond what is exposed",
        "3, 0, 1, 16, 0, 0, 0, 16, packet for a receive that is not the oldest",
        "3, 0, -1, 16, 0, 0, 0, 16, packet for a receive that is not the oldest",
        "3, 0, 65536, 16, 0, 0, 0, 16, packet for a receive that is not the oldest",
        "3, 0, 0, 17, 0, 0, 0, 17, packet of impossible length",
        "3, 0, 0, 16, 0, 0, 0, 15, packet of impossible length",
        "3, 0, 0, 15, 0, 0, 0, 16, packet of impossible length",
        "3, 0, 0, -1, 0, 0, 0, -1, packet of impossible length",
        "3, 0, 0, 2147483648, 0, 0, 0, 16, packet of impossible length",
        "3, 0, 0, 9223372036854775807, 0, 0, 0, 16, packet of impossible length",
        "4, 0, -1, 0, 0, 0, 0, 0, 'CANCEL of an impossible id, or more of them than ADVERTs'",
        "4, 0, 16, 0, 0, 0, 0, 0, 'CANCEL of an impossible id, or more of them than ADVERTs'",
        "5, 0, 0, 0, 0, 0, 0, 0, answer to a CANCEL that was not sent",
        "6, 0, 0, 1, 0, 0, 0, 0, end of the packets at the wrong place",
        "6, 0, 0, -1, 0, 0, 0, 0, end of the packets at the wrong place",
        "7, 0, 2, 0, 4096, 1000000, 0, 8, 'export out of turn, or one too many'",
        "7, 0, 0, 0, 4096, 1000000, 0, 8, 'export out of turn, or one too many'",
        "7, 0, -1, 0, 4096, 1000000, 0, 8, 'export out of turn, or one too many'",
        "7, 0, 1, 0, 4096, 1000000, 0, 0, export of impossible length",
        "7, 0, 1, 0, 4096, 1000000, 0, -1, export of impossible length",
        "7, 0, 1, 0, 4096, 1000000, 0, 2147483648, export of impossible length",
        "8, 0, 1, 0, 0, 0, 0, 0, export taken back that is not there",
        "9, 0, 1, 0, 0, 0, 0, 0, answer to an export that was not taken back",
        "9, 0, 2, 0, 0, 0, 0, 0, answer to an export that was not taken back",
        "10, 0, 1, 0, 0, 1, 0, 8, notification for a receive that is not the oldest",
        "10, 0, 0, 0, 0, 2, 0, 8, notification of a write outside of what is exported",
        "10, 0, 0, 0, 0, 0, 0, 8, notification of a write outside of what is exported",
        "10, 0, 0, 9, 0, 1, 0, 8, notification of a write outside of what is exported",
        "10, 0, 0, 0, 0, 1, 0, 17, notification of a write outside of what is exported",
        "10, 0, 0, -1, 0, 1, 0, 8, notification of a write outside of what is exported",
        "10, 0, 0, 0, 0, 1, 0, -1, notification of a write outside of what is exported",
        "10, 0, 0, 9223372036854775807, 0, 1, 0, 1, notification of a write outside of what is exported"
    })
    void badMessages(
            int type,
            int credits,
            int id,
            long total,
            long address,
            int rkey,
            int offset,
            long length,
            String problem) {
        message(type, credits, id, total, address, rkey, offset, length);
        assertViolation(problem);
    }

    @Test
    void messagesWithoutACreditAreAViolation() {
        for (int i = 0; i < 10 * DEPTH && end.engine.failure() == null; i++) {
            message(PacketMessageDescriptor.CREDIT, 0, 0, 0, 0, 0, 0, 0);
            end.engine.progress();
        }
        assertEquals("protocol violation by the peer: message without a credit: value=" + DEPTH, end.engine.failure());
    }

    @Test
    void aLookHandlesNoMoreThanThePeerCanHaveSentBefore() {
        for (int i = 0; i < DEPTH + 1; i++) {
            message(PacketMessageDescriptor.CREDIT, 0, 0, 0, 0, 0, 0, 0);
        }
        assertTrue(end.engine.progress());
        assertFalse(end.endpoint.queuePair().completionQueue().isEmpty(), "others wait to be looked at, too");
        assertTrue(end.engine.progress());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39})
    void messagesOfTheWrongLength(int length) {
        end.endpoint.inject(new FakeEndpoint.Arrival(Opcode.RECV, Status.SUCCESS, new byte[length], length, 0));
        assertViolation("message of wrong length");
    }

    @ParameterizedTest
    @CsvSource({
        // kind, length, credits, id, message
        "0, 8, 0, 0, immediate of unknown kind",
        "1, 8, 0, 0, immediate of unknown kind",
        "3, 8, 0, 0, immediate of unknown kind",
        "15, 8, 0, 0, immediate of unknown kind",
        "2, 8, 0, 1, packet for a receive that is not the oldest",
        "2, 8, 0, 65535, packet for a receive that is not the oldest",
        "2, 17, 0, 0, packet of impossible length",
        "2, 2147483647, 0, 0, packet of impossible length",
        "2, -1, 0, 0, packet of impossible length",
        "2, 8, 4, 0, more message credits returned than there are",
        "2, 8, 4095, 0, more message credits returned than there are"
    })
    void badImmediates(int kind, int length, int credits, int id, String problem) {
        end.endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV_RDMA_WITH_IMM,
                Status.SUCCESS,
                null,
                length,
                ImmediateDescriptor.encode(kind, credits, id)));
        assertViolation(problem);
    }

    @Test
    void moreAdvertsThanAnEndMayHaveOut() {
        for (int i = 0; i < new SmallPacketRules().advertLimit(); i++) {
            message(PacketMessageDescriptor.ADVERT, 0, i, 8, 0, 0, 0, 0);
        }
        assertTrue(end.engine.progress());
        assertNull(end.engine.failure());
        message(PacketMessageDescriptor.ADVERT, 0, 5, 8, 0, 0, 0, 0);
        assertViolation("ADVERT with an impossible id, or one too many");
    }

    /** An end without credits cannot answer, and must not remember without end what it has to answer. */
    @Test
    void moreCancelsThanAnEndCanHaveUnanswered() {
        takeAllCredits();
        int limit = 2 * new SmallPacketRules().advertLimit();
        for (int i = 0; i < limit; i++) {
            message(PacketMessageDescriptor.CANCEL, 0, i, 0, 0, 0, 0, 0);
            assertTrue(end.engine.progress());
            assertNull(end.engine.failure());
        }
        message(PacketMessageDescriptor.CANCEL, 0, 0, 0, 0, 0, 0, 0);
        assertViolation("CANCEL of an impossible id, or more of them than ADVERTs");
    }

    @Test
    void moreExportsThanAnEndMayHaveTheOnesTakenBackAndNotAnsweredIncluded() {
        takeAllCredits();
        end.endpoint.takenByPeer();
        int number = 0;
        int credits = 0;
        while (number < Exports.MAX_EXPORTS) {
            message(PacketMessageDescriptor.EXPORT, credits, ++number, 0, 4096L * 1_000_000, 1_000_000, 0, 8);
            message(PacketMessageDescriptor.UNEXPORT, 0, number, 0, 0, 0, 0, 0);
            assertTrue(end.engine.progress());
            assertNull(end.engine.failure());
            credits = end.endpoint.takenByPeer(); // Just enough to be given some, and no answer.
        }
        message(PacketMessageDescriptor.EXPORT, 0, ++number, 0, 4096L * 1_000_000, 1_000_000, 0, 8);
        assertViolation("export out of turn, or one too many");
    }

    /** Receives that wait for their ADVERTs take what credits there are. */
    private void takeAllCredits() {
        for (int i = 0; i < 2; i++) {
            end.receive("more", 1);
        }
        for (int i = 0; i < DEPTH; i++) {
            end.engine.exports().add(exported.memory(), 0, 8);
        }
        end.engine.flush();
    }

    @ParameterizedTest
    @ValueSource(strings = {"packet", "notification", "fin"})
    void anythingBehindTheEndOfThePackets(String what) {
        message(PacketMessageDescriptor.FIN, 0, 0, 0, 0, 0, 0, 0);
        assertTrue(end.engine.progress());
        assertNull(end.engine.failure());
        assertEquals("r1 END_OF_STREAM, r2 END_OF_STREAM", end.ended());
        switch (what) {
            case "packet" -> message(PacketMessageDescriptor.PACKET, 0, 0, 1, 0, 0, 0, 1);
            case "notification" -> message(PacketMessageDescriptor.NOTIFY, 0, 0, 0, 0, 1, 0, 1);
            default -> message(PacketMessageDescriptor.FIN, 0, 0, 0, 0, 0, 0, 0);
        }
        assertViolation(
                switch (what) {
                    case "packet" -> "packet for a receive that is not the oldest";
                    case "notification" -> "notification for a receive that is not the oldest";
                    default -> "end of the packets at the wrong place";
                });
    }

    /** The count of packets that comes with the end, or with the disconnect, must be that of those that came. */
    @ParameterizedTest
    @ValueSource(longs = {0, 2, -1, Long.MAX_VALUE})
    void countsThatAreNotThoseOfWhatCame(long packets) {
        message(PacketMessageDescriptor.PACKET, 0, 0, 1, 0, 0, 0, 1);
        assertTrue(end.engine.progress());
        assertEquals("r1 DONE", end.ended());
        end.engine.onPeerClosed(packets);
        assertEquals(
                "protocol violation by the peer: end of the packets at the wrong place: value=" + packets,
                end.engine.failure());
        assertDead();
    }

    @Test
    void theSamePacketTwice() {
        message(PacketMessageDescriptor.PACKET, 0, 0, 1, 0, 0, 0, 1);
        message(PacketMessageDescriptor.PACKET, 0, 0, 1, 0, 0, 0, 1);
        assertTrue(end.engine.progress());
        assertEquals("r1 DONE", end.ended());
        assertEquals(
                "protocol violation by the peer: packet for a receive that is not the oldest: value=0",
                end.engine.failure());
        assertDead();
    }

    @Test
    void anAnswerToTheCancelOfAnother() {
        end.engine.cancel(second);
        message(PacketMessageDescriptor.CANCELLED, 0, 0, 0, 0, 0, 0, 0);
        assertViolation("answer to the CANCEL of another receive");
    }

    @Test
    void anAnswerThatComesTwice() {
        end.engine.cancel(second);
        message(PacketMessageDescriptor.CANCELLED, 0, 1, 0, 0, 0, 0, 0);
        assertTrue(end.engine.progress());
        assertEquals("r2 CANCELLED", end.ended());
        message(PacketMessageDescriptor.CANCELLED, 0, 1, 0, 0, 0, 0, 0);
        assertViolation("answer to a CANCEL that was not sent");
    }

    @Test
    void theFirstViolationIsTheOneThatIsTold() {
        message(0, 0, 0, 0, 0, 0, 0, 0);
        message(PacketMessageDescriptor.CREDIT, 99, 0, 0, 0, 0, 0, 0);
        assertViolation("message of unknown type");
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
    void failedCompletions(Status status) {
        end.endpoint.inject(new FakeEndpoint.Arrival(Opcode.RECV, status, null, 0, 0));
        assertTrue(end.engine.progress());
        assertEquals("work completion: status=" + status, end.engine.failure());
        assertDead();
    }

    private void message(int type, int credits, int id, long total, long address, int rkey, int offset, long length) {
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        MessageDescriptor.encode(bytes, 0, type, credits, id, total);
        PacketMessageDescriptor.memory(bytes, 0, address, rkey, offset, length);
        end.endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
    }

    private void assertViolation(String problem) {
        end.ended();
        assertTrue(end.engine.progress());
        assertNotNull(end.engine.failure(), "not noticed");
        assertTrue(
                end.engine.failure().startsWith("protocol violation by the peer: " + problem + ": value="),
                end.engine.failure());
        assertEquals("", end.ended(), "what broke the rules has ended something");
        assertDead();
    }

    /** Later arrivals are not looked at, no call throws, nothing is posted, and no memory was touched. */
    private void assertDead() {
        String failure = end.engine.failure();
        int posted = end.endpoint.underWay();
        message(PacketMessageDescriptor.CREDIT, 0, 0, 0, 0, 0, 0, 0);
        assertFalse(end.engine.progress());
        end.send("s", "x");
        end.engine.cancel(second);
        end.engine.flush();
        end.engine.finish();
        assertEquals(failure, end.engine.failure());
        assertEquals(posted, end.endpoint.underWay());
        for (ByteBuffer each : new ByteBuffer[] {second.memory, exported.memory()}) {
            for (int i = 0; i < each.capacity(); i++) {
                assertEquals(FILLER, each.get(i), "memory was touched");
            }
        }
        while (end.engine.takeBack() != null) {
            // Everything can be taken back.
        }
    }
}

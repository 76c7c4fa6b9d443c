package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.link.Rules;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the protocol that a peer may break: a failure is told, nothing is thrown, nothing hangs. */
class HostilePeerTest {
    private static final int BUFFER = 16;
    private static final int DEPTH = 4;

    private final FakeEndpoint endpoint;
    private final FakeEndpoint peer;
    private final StreamEngine engine;

    HostilePeerTest() {
        FakeEndpoint[] ends = FakeEndpoint.pair(BUFFER, BUFFER, DEPTH);
        endpoint = ends[0];
        peer = ends[1];
        endpoint.limitExposed(2 * BUFFER);
        engine = new StreamEngine(endpoint);
        ends[1].postReceives();
    }

    @ParameterizedTest
    @CsvSource({
        // type, id, position, credits, message
        "0,  0, 0,                    0, message of unknown type",
        "5,  0, 0,                    0, ADVERT of impossible id or length",
        "6,  -1, 0,                   0, 'CANCEL of an impossible id, or more of them than ADVERTs'",
        "6,  65536, 0,                0, 'CANCEL of an impossible id, or more of them than ADVERTs'",
        "7,  0, 0,                    0, answer to a CANCEL that was not sent",
        "8,  0, 0,                    0, hidden buffer announced out of turn",
        "8,  2, 0,                    0, hidden buffer announced out of turn",
        "8,  -1, 0,                   0, hidden buffer announced out of turn",
        "8,  1, 0,                    0, hidden buffer of impossible length announced",
        "9,  0, 0,                    0, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "9,  1, 0,                    0, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "10, 0, 0,                    0, message of unknown type",
        "11, 0, 0,                    0, message of unknown type",
        "13, 0, 0,                    0, message of unknown type",
        "-1, 0, 0,                    0, message of unknown type",
        "1,  0, 0,                    4, more message credits returned than there are",
        "1,  0, 0,                65535, more message credits returned than there are",
        "2,  0, 1,                    4, more message credits returned than there are",
        "2,  1, 3,                    0, more bytes acknowledged than were sent",
        "2,  0, 0,                    0, more bytes acknowledged than were sent",
        "2,  0, -1,                   0, more bytes acknowledged than were sent",
        "2,  0, 4,                    0, more bytes acknowledged than were sent",
        "2,  0, 9223372036854775807,  0, more bytes acknowledged than were sent",
        "2,  -1, 3,                   0, more bytes acknowledged than were sent",
        "3,  1, 1,                    0, bytes in a hidden buffer that is not the current one",
        "3,  -1, 1,                   0, bytes in a hidden buffer that is not the current one",
        "3,  0, 0,                    0, bytes beyond the hidden buffer or the end of the stream",
        "3,  0, -1,                   0, bytes beyond the hidden buffer or the end of the stream",
        "3,  0, 17,                   0, bytes beyond the hidden buffer or the end of the stream",
        "3,  0, 9223372036854775807,  0, bytes beyond the hidden buffer or the end of the stream",
        "4,  0, 1,                    0, end of the stream at the wrong position",
        "4,  0, -1,                   0, end of the stream at the wrong position",
        "12, 0, -1,                   0, urgent byte beyond the hidden buffer or the end of the stream",
        "12, 0, 17,                   0, urgent byte beyond the hidden buffer or the end of the stream",
        "12, 0, 9223372036854775807,  0, urgent byte beyond the hidden buffer or the end of the stream"
    })
    void badMessages(int type, int id, long position, int credits, String problem) {
        // Three bytes in two messages are under way: acknowledging up to 3 bytes and 2 credits would be right.
        engine.outgoing.trySend(ByteBuffer.allocate(1));
        engine.outgoing.trySend(ByteBuffer.allocate(2));
        message(type, credits, id, position);
        assertViolation(problem);
    }

    @Test
    void aBufferAnnouncedWhereWritersHaveReserves() {
        FakeEndpoint[] ends = FakeEndpoint.pair(BUFFER, BUFFER, DEPTH);
        StreamEngine without = new StreamEngine(ends[0]);
        ends[1].postReceives();
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        MessageDescriptor.encodeMemory(bytes, 0, MessageDescriptor.NEWBUF, 0, 1, 0, 0, 2 * BUFFER);
        ends[0].inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
        without.progress();
        assertEquals("protocol violation by the peer: hidden buffer announced out of turn: value=1", without.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {MessageDescriptor.ADVERT, MessageDescriptor.CANCEL})
    void nothingIsAdvertisedWhereNeitherEndReachesTheOthersProgram(int type) {
        FakeEndpoint[] ends = FakeEndpoint.pair(BUFFER, BUFFER, DEPTH);
        ends[0].withoutDirect();
        StreamEngine without = new StreamEngine(ends[0]);
        ends[1].postReceives();
        assertEquals(3, without.outgoing.trySend(ByteBuffer.allocate(3)));
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        MessageDescriptor.encode(bytes, 0, type, 0, 1, 0);
        ends[0].inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
        without.progress();
        assertEquals(
                "protocol violation by the peer: ADVERT where neither end reaches memory of the other's program: value=1",
                without.failure());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39})
    void messagesOfTheWrongLength(int length) {
        endpoint.inject(new FakeEndpoint.Arrival(Opcode.RECV, Status.SUCCESS, new byte[length], length, 0));
        assertViolation("message of wrong length");
    }

    @ParameterizedTest
    @CsvSource({
        "0,  1,           0, immediate of unknown kind",
        "2,  1,           0, bytes for an ADVERT that is not the first live one",
        "3,  1,           0, immediate of unknown kind",
        "15, 1,           0, immediate of unknown kind",
        "1,  0,           0, bytes beyond the hidden buffer or the end of the stream",
        "1,  -1,          0, bytes beyond the hidden buffer or the end of the stream",
        "1,  17,          0, bytes beyond the hidden buffer or the end of the stream",
        "1,  2147483647,  0, bytes beyond the hidden buffer or the end of the stream",
        "1,  -2147483648, 0, bytes beyond the hidden buffer or the end of the stream",
        "1,  1,           1, more message credits returned than there are",
        "1,  1,        4095, more message credits returned than there are"
    })
    void badImmediates(int kind, int length, int credits, String problem) {
        immediate(kind, length, credits);
        assertViolation(problem);
    }

    @Test
    void messagesWithoutACreditAreAViolation() {
        for (int i = 0; i < 10 * DEPTH && engine.failure() == null; i++) {
            message(MessageDescriptor.CREDIT, 0, 0, 0); // It gives none back: soon it cannot be given any.
            engine.progress();
        }
        assertEquals("protocol violation by the peer: message without a credit: value=" + DEPTH, engine.failure());
        assertDead();
    }

    @Test
    void aLookHandlesNoMoreThanThePeerCanHaveSentBefore() {
        for (int i = 0; i < DEPTH + 1; i++) {
            message(MessageDescriptor.CREDIT, 0, 0, 0);
        }
        assertTrue(engine.progress());
        assertFalse(endpoint.queuePair().completionQueue().isEmpty(), "others wait to be looked at, too");
        assertTrue(engine.progress());
        assertTrue(endpoint.queuePair().completionQueue().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "placed", "fin"})
    void anythingBehindTheEndOfTheStream(String what) {
        immediate(ImmediateDescriptor.INDIRECT, 2, 0);
        message(MessageDescriptor.FIN, 0, 0, 2);
        assertTrue(engine.progress());
        assertNull(engine.failure());
        switch (what) {
            case "bytes" -> immediate(ImmediateDescriptor.INDIRECT, 1, 0);
            case "placed" -> message(MessageDescriptor.PLACED, 0, 0, 1);
            default -> message(MessageDescriptor.FIN, 0, 0, 2);
        }
        assertViolation(
                what.equals("fin")
                        ? "end of the stream at the wrong position"
                        : "bytes beyond the hidden buffer or the end of the stream");
        assertEquals(2, engine.incoming.tryReceive(ByteBuffer.allocate(BUFFER)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void moreBytesThanTheBufferHasLeft(int unread) {
        immediate(ImmediateDescriptor.INDIRECT, unread, 0);
        message(MessageDescriptor.PLACED, 0, 0, BUFFER - unread + 1);
        assertTrue(engine.progress());
        assertNotNull(engine.failure());
        assertEquals(unread, engine.incoming.readableBytes());
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
    void failedCompletions(Status status) {
        endpoint.inject(new FakeEndpoint.Arrival(Opcode.RECV, status, null, 0, 0));
        assertTrue(engine.progress());
        assertEquals("work completion: status=" + status, engine.failure());
        assertDead();
    }

    @ParameterizedTest
    @CsvSource({"-1", "1", "19", "9223372036854775807"})
    void aDisconnectAtAnImpossiblePosition(long position) {
        immediate(ImmediateDescriptor.INDIRECT, 2, 0);
        assertTrue(engine.progress());
        engine.onPeerClosed(position);
        assertNotNull(engine.failure());
        assertFalse(engine.incoming.finArrived());
        assertEquals(2, engine.incoming.readableBytes());
        assertDead();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 16})
    void aDisconnectInOrderAnnouncesTheRestAndTheEnd(int position) {
        immediate(ImmediateDescriptor.INDIRECT, 2, 0);
        assertTrue(engine.progress());
        assertEquals(2, engine.incoming.tryReceive(ByteBuffer.allocate(2)));
        engine.onPeerClosed(position);
        assertNull(engine.failure());
        assertTrue(engine.incoming.finArrived());
        engine.onPeerClosed(99);
        assertNull(engine.failure(), "the first end counts");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 8, BUFFER, 24, 1 << 27, 1L << 32, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void buffersOfImpossibleLength(long length) {
        newBuffer(1, length);
        assertViolation("hidden buffer of impossible length announced");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aSecondBufferBeforeTheFirstWasTaken(int generation) {
        expose(2 * BUFFER);
        newBuffer(1, 2 * BUFFER);
        assertTrue(engine.progress());
        assertNull(engine.failure());
        newBuffer(generation, 4 * BUFFER);
        assertViolation("hidden buffer announced out of turn");
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "1, 4", "1, 1", "2, 1"})
    void acknowledgementsThatNoBufferIsGoodFor(int generation, int freed) {
        expose(2 * BUFFER);
        newBuffer(1, 2 * BUFFER);
        engine.outgoing.trySend(ByteBuffer.allocate(3));
        assertTrue(engine.progress());
        // The buffer is announced and not taken yet: of it nothing can be acknowledged, of the old one three bytes.
        message(MessageDescriptor.ACK, 0, generation, freed);
        assertViolation("more bytes acknowledged than were sent");
    }

    @ParameterizedTest
    @CsvSource({"0, 3, true", "0, 4, false", "1, 5, true", "1, 6, false", "2, 1, false"})
    void acknowledgementsBehindASwitch(int generation, int freed, boolean right) {
        engine.outgoing.trySend(ByteBuffer.allocate(3));
        expose(2 * BUFFER);
        newBuffer(1, 2 * BUFFER);
        assertTrue(engine.progress());
        assertEquals(5, engine.outgoing.trySend(ByteBuffer.allocate(5)));
        message(MessageDescriptor.ACK, 0, generation, freed);
        if (right) {
            assertTrue(engine.progress());
            assertNull(engine.failure());
        } else {
            assertViolation("more bytes acknowledged than were sent");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, 1, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "2, 2, 1, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "1, 1, 1, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "1, 3, 1, 'switch to a hidden buffer that was not announced, or at the wrong position'",
        "1, 2, 0, bytes in a hidden buffer that is not the current one",
        "1, 2, 2, bytes in a hidden buffer that is not the current one",
        "1, 2, 1, ''"
    })
    void aSwitchMustBeAtItsPlace(int generation, long position, int generationOfBytes, String problem) {
        immediate(ImmediateDescriptor.INDIRECT, 2, 0);
        assertTrue(engine.progress());
        WantedGrowth.grow(engine, 2 * BUFFER);
        message(MessageDescriptor.SWITCHED, 0, generation, position);
        message(MessageDescriptor.PLACED, 0, generationOfBytes, 2 * BUFFER);
        if (problem.isEmpty()) {
            assertTrue(engine.progress());
            assertNull(engine.failure());
            message(MessageDescriptor.PLACED, 0, generationOfBytes, 1);
            assertViolation("bytes beyond the hidden buffer or the end of the stream");
        } else {
            assertViolation(problem);
        }
    }

    @Test
    void aSwitchBehindTheEndOfTheStream() {
        WantedGrowth.grow(engine, 2 * BUFFER);
        message(MessageDescriptor.FIN, 0, 0, 0);
        message(MessageDescriptor.SWITCHED, 0, 1, 0);
        assertViolation("switch to a hidden buffer that was not announced, or at the wrong position");
    }

    @Test
    void aSecondSwitchToTheSameBuffer() {
        WantedGrowth.grow(engine, 2 * BUFFER);
        message(MessageDescriptor.SWITCHED, 0, 1, 0);
        message(MessageDescriptor.SWITCHED, 0, 1, 0);
        assertViolation("switch to a hidden buffer that was not announced, or at the wrong position");
    }

    @ParameterizedTest
    @CsvSource({
        // phase, position, of an ADVERT behind one of phase 2 at 3, with 3 bytes sent; problem
        "2,  3, ''",
        "4,  3, ''",
        "0,  3, ADVERT of a phase that cannot be",
        "1,  3, ADVERT of a phase that cannot be",
        "3,  3, ADVERT of a phase that cannot be",
        "-1, 3, ADVERT of a phase that cannot be",
        "-2, 3, ADVERT of a phase that cannot be",
        "2,  2, ADVERT at a position that cannot be",
        "2,  0, ADVERT at a position that cannot be",
        "2,  4, ADVERT at a position that cannot be",
        "2,  -1, ADVERT at a position that cannot be",
        "2,  9223372036854775807, ADVERT at a position that cannot be"
    })
    void advertsThatGoBackOrBeyondWhatWasSent(int phase, long position, String problem) {
        engine.outgoing.trySend(ByteBuffer.allocate(3));
        advert(0, 2, 3, 8);
        assertTrue(engine.progress());
        assertNull(engine.failure());
        advert(1, phase, position, 8);
        if (problem.isEmpty()) {
            assertTrue(engine.progress());
            assertNull(engine.failure());
        } else {
            assertViolation(problem);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "65536, 1", "0, 0", "0, -1", "0, -9223372036854775808"})
    void advertsOfImpossibleIdOrLength(int id, long length) {
        advert(id, 0, 0, length);
        assertViolation("ADVERT of impossible id or length");
    }

    @Test
    void oneAdvertMoreThanAgreed() {
        for (int i = 0; i < Rules.ADVERT_LIMIT; i++) {
            advert(i, 0, 0, 8);
            assertTrue(engine.progress());
            giveBackCredits();
            assertNull(engine.failure());
        }
        advert(Rules.ADVERT_LIMIT, 0, 0, 8);
        assertViolation("more ADVERTs than agreed, or one twice");
    }

    @Test
    void anIdThatIsQueuedAlready() {
        advert(7, 0, 0, 8);
        advert(8, 0, 0, 8);
        advert(7, 0, 0, 8);
        assertViolation("more ADVERTs than agreed, or one twice");
    }

    @Test
    void moreCancelsThanThereCanBeAdverts() {
        for (int i = 0; i < DEPTH - 1; i++) {
            engine.outgoing.trySend(ByteBuffer.allocate(1)); // So that there is no credit for an answer.
        }
        endpoint.takenByPeer();
        for (int i = 0; i < Rules.ADVERT_LIMIT + 1; i++) {
            message(MessageDescriptor.CANCEL, 0, i, 0);
            assertTrue(engine.progress());
            giveBackCredits();
            assertNull(engine.failure());
        }
        message(MessageDescriptor.CANCEL, 0, Rules.ADVERT_LIMIT + 1, 0);
        assertViolation("CANCEL of an impossible id, or more of them than ADVERTs");
    }

    @ParameterizedTest
    @CsvSource({
        // what, id, length, problem; the first of two receives of 8 bytes has id 0
        "advertised,  0, 8,  ''",
        "advertised,  0, 1,  ''",
        "advertised,  0, 9,  bytes beyond what was advertised",
        "advertised,  0, 0,  bytes beyond what was advertised",
        "advertised,  0, -1, bytes beyond what was advertised",
        "advertised,  0, 2147483647, bytes beyond what was advertised",
        "advertised,  1, 1,  bytes for an ADVERT that is not the first live one",
        "advertised,  2, 1,  bytes for an ADVERT that is not the first live one",
        "advertised,  65535, 1, bytes for an ADVERT that is not the first live one",
        "used,        0, 1,  bytes for an ADVERT that is not the first live one",
        "used,        1, 8,  ''",
        "overtaken,   0, 1,  bytes for an ADVERT that is not the first live one",
        "overtaken,   1, 1,  bytes for an ADVERT that is not the first live one",
        "cancelled,   0, 8,  ''",
        "answered,    0, 1,  bytes for an ADVERT that is not the first live one",
        "answered,    1, 8,  ''",
        "ended,       0, 1,  bytes behind the end of the stream"
    })
    void directBytesThatNobodyHasAskedFor(String what, int id, int length, String problem) {
        Receive first = advertise();
        advertise();
        switch (what) {
            case "used" -> direct(0, 8);
            case "overtaken" -> immediate(ImmediateDescriptor.INDIRECT, 1, 0);
            case "cancelled" -> engine.cancel(first);
            case "answered" -> {
                engine.cancel(first);
                message(MessageDescriptor.CANCELLED, 1, 0, 0);
            }
            case "ended" -> message(MessageDescriptor.FIN, 0, 0, 0);
            default -> {}
        }
        direct(id, length);
        if (problem.isEmpty()) {
            assertTrue(engine.progress());
            assertNull(engine.failure());
        } else {
            assertViolation(problem);
        }
    }

    @Test
    void directBytesThroughAWindowThatIsClosed() {
        FakeEndpoint[] ends = FakeEndpoint.pair(BUFFER, BUFFER, DEPTH);
        ends[0].windows(32);
        ends[1].postReceives();
        StreamEngine receiver = new StreamEngine(ends[0]);
        ProgramGrants.Grant grant = ends[0].grants().lend();
        Receive receive = new Receive().into(grant.memory(), 0, 8, false, grant);
        receiver.post(receive);
        receiver.cancel(receive);
        assertTrue(receive.isDone());
        ends[0].inject(new FakeEndpoint.Arrival(
                Opcode.RECV_RDMA_WITH_IMM,
                Status.SUCCESS,
                null,
                1,
                ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, 0, 0)));
        assertTrue(receiver.progress());
        assertTrue(
                receiver.failure()
                        .startsWith("protocol violation by the peer: bytes for an ADVERT that was taken back"),
                receiver.failure());
    }

    @ParameterizedTest
    @CsvSource({"0, false, true", "1, true, true", "0, true, false"})
    void answersThatNobodyHasAskedFor(int id, boolean cancel, boolean violation) {
        Receive receive = advertise();
        if (cancel) {
            engine.cancel(receive);
        }
        message(MessageDescriptor.CANCELLED, 0, id, 0);
        if (violation) {
            assertViolation("answer to a CANCEL that was not sent");
            assertFalse(receive.isDone(), "the peer may still write there");
            return;
        }
        assertTrue(engine.progress());
        assertTrue(receive.isDone());
        message(MessageDescriptor.CANCELLED, 0, id, 0);
        assertViolation("answer to a CANCEL that was not sent");
    }

    /** A receive of 8 bytes that the peer has been told of; the first has id 0. */
    private Receive advertise() {
        ProgramGrants.Grant grant = endpoint.grants().lend();
        Receive receive = new Receive().into(grant.memory(), 0, 8, false, grant);
        engine.post(receive);
        assertTrue(receive.isAdvertised());
        return receive;
    }

    private void direct(int id, int length) {
        endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV_RDMA_WITH_IMM,
                Status.SUCCESS,
                null,
                length,
                ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, 0, id)));
    }

    private void advert(int id, int phase, long position, long length) {
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        int key = peer.grants().lend().rkey();
        MessageDescriptor.encodeAdvert(bytes, 0, id, phase, position, 0, key, length, false);
        endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
    }

    /** The peer has memory that can be reached, whatever it announces. */
    private void expose(int length) {
        peer.addRegion(length);
    }

    private void newBuffer(int generation, long length) {
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        MessageDescriptor.encodeMemory(
                bytes, 0, MessageDescriptor.NEWBUF, 0, generation, peer.addressOfLast(), peer.keyOfLast(), length);
        endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
    }

    private void message(int type, int credits, int id, long position) {
        ByteBuffer bytes = MessageDescriptor.allocate(1);
        MessageDescriptor.encode(bytes, 0, type, credits, id, position);
        endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV, Status.SUCCESS, Arrays.copyOf(bytes.array(), MessageDescriptor.LENGTH), 40, 0));
    }

    private void immediate(int kind, int length, int credits) {
        endpoint.inject(new FakeEndpoint.Arrival(
                Opcode.RECV_RDMA_WITH_IMM, Status.SUCCESS, null, length, ImmediateDescriptor.encode(kind, credits, 0)));
    }

    private void giveBackCredits() {
        int credits = endpoint.takenByPeer();
        if (credits > 0) {
            message(MessageDescriptor.CREDIT, credits, 0, 0);
            engine.progress();
        }
    }

    private void assertViolation(String problem) {
        assertTrue(engine.progress());
        assertNotNull(engine.failure(), "not noticed");
        assertTrue(
                engine.failure().startsWith("protocol violation by the peer: " + problem + ": value="),
                engine.failure());
        assertDead();
    }

    /** Later arrivals are not looked at, and no call throws. */
    private void assertDead() {
        String failure = engine.failure();
        message(MessageDescriptor.CREDIT, 0, 0, 0);
        assertFalse(engine.progress());
        engine.outgoing.trySend(ByteBuffer.allocate(1));
        engine.flush();
        engine.outgoing.finish();
        assertEquals(failure, engine.failure());
    }
}

package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Urgent bytes, as Linux's TCP treats them: capital letters are sent as urgent data. */
class UrgentDataTest {
    private static final int DEPTH = 4;

    private final FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, DEPTH);
    private final StreamEngine writer;
    private final StreamEngine reader;

    UrgentDataTest() {
        writer = new StreamEngine(ends[0]);
        reader = new StreamEngine(ends[1]);
    }

    /** Each {@code |} in the expectation is where a read ends. */
    @ParameterizedTest
    @CsvSource({
        "U,       '',          U",
        "aUb,     a|b,         a|Ub",
        "abU,     ab,          ab|U",
        "Uab,     ab,          Uab",
        "UVW,     '',          UV|W",
        "aUVb,    aU|b,        aU|Vb",
        "aUbVc,   aUb|c,       aUb|Vc",
        "UbV,     b,           Ub|V",
        "UVbW,    b,           UVb|W"
    })
    void readsEndBeforeAnUrgentByteAndPassOverItUnlessItIsInline(String sent, String passed, String inline) {
        send(sent);
        assertEquals(passed, readAll(100));
        reader.incoming.urgent.setInline(true);
        send(sent);
        assertEquals(inline, readAll(100));
        assertNull(reader.failure());
        assertFalse(reader.incoming.hasUnread());
    }

    @Test
    void anUrgentByteAloneIsUnreadButNotReadable() {
        send("U");
        assertEquals(0, reader.incoming.readableBytes());
        assertEquals(0, reader.incoming.availableBytes());
        assertTrue(reader.incoming.hasUnread());
        send("b");
        assertEquals(1, reader.incoming.readableBytes());
        assertEquals(0, reader.incoming.availableBytes());
        reader.incoming.urgent.setInline(true);
        assertEquals(2, reader.incoming.availableBytes());
    }

    @Test
    void anUrgentByteBeforeTheEndIsPassedOver() {
        send("aU");
        writer.outgoing.finish();
        exchange();
        assertEquals("a", readAll(1));
        assertEquals(Incoming.END_OF_STREAM, reader.incoming.tryReceive(ByteBuffer.allocate(1)));
    }

    @Test
    void theMarkGoesBeforeItsByteThoughCreditsHaveRunOut() {
        for (int i = 0; i < DEPTH; i++) {
            writer.outgoing.trySend(bytes("a"));
        }
        assertEquals(1, writer.outgoing.trySend(bytes("U"), null, false, true));
        writer.outgoing.trySend(bytes("b"));
        assertTrue(writer.outgoing.owesUrgent());
        exchange();
        assertFalse(writer.outgoing.owesUrgent());
        assertEquals("aaaa|b", readAll(100));
    }

    @Test
    void thereIsNoUrgentByteWithoutRoomForIt() {
        writer.outgoing.trySend(bytes("0123456789abcdef"));
        assertEquals(0, writer.outgoing.trySend(bytes("U"), null, false, true));
        assertFalse(writer.outgoing.owesUrgent());
    }

    @Test
    void manyUrgentBytesGoRoundTheHiddenBuffer() {
        StringBuilder received = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            send("abUcd");
            received.append(readAll(3)).append('|');
            ends[1].read(5);
        }
        assertEquals("ab|cd|".repeat(100), received.toString());
        assertNull(writer.failure());
        assertNull(reader.failure());
    }

    private void send(String letters) {
        for (int i = 0; i < letters.length(); i++) {
            ByteBuffer one = bytes(letters.substring(i, i + 1));
            boolean urgent = Character.isUpperCase(letters.charAt(i));
            assertEquals(1, writer.outgoing.trySend(one, null, false, urgent));
            exchange();
        }
    }

    private void exchange() {
        for (int round = 0; round < 5; round++) {
            ends[0].deliver(Integer.MAX_VALUE);
            reader.progress();
            ends[1].deliver(Integer.MAX_VALUE);
            writer.progress();
        }
    }

    private String readAll(int atMost) {
        StringBuilder received = new StringBuilder();
        ByteBuffer target = ByteBuffer.allocate(atMost);
        while (reader.incoming.tryReceive(target.clear()) > 0) {
            String read = StandardCharsets.US_ASCII.decode(target.flip()).toString();
            received.append(received.isEmpty() ? "" : "|").append(read);
        }
        return received.toString();
    }

    private static ByteBuffer bytes(String letters) {
        return ByteBuffer.wrap(letters.getBytes(StandardCharsets.US_ASCII));
    }
}

package org.exsockets.compat.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TalkTest {
    private static final int CONNECTIONS = 40;
    private static final int PROCESS = 3;

    @TempDir
    Path directory;

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger(directory.resolve("ledger"), 17);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void connectionsOfAllPlansEndWithEveryByteAtBothEnds() throws IOException {
        for (int number = 1; number <= CONNECTIONS; number++) {
            Talk client = Talk.connecting(ledger, Ids.of(PROCESS, false, number), "0 a-b");
            Talk server = Talk.accepted(ledger, "b");
            while (!client.isOver() || !server.isOver()) {
                boolean moved = move(client, server) | move(server, client);
                assertTrue(moved, () -> "nobody can go on: " + client + "; " + server);
            }
            client.succeed();
            server.succeed();
        }
        List<String> noted = Files.readAllLines(directory.resolve("ledger"));
        for (Ledger.Event event : List.of(Ledger.Event.VERIFIED, Ledger.Event.DONE, Ledger.Event.SERVED)) {
            assertEquals(
                    CONNECTIONS,
                    noted.stream().filter(line -> line.startsWith(event + "\t")).count());
        }
    }

    @Test
    void oneWrongByteIsFound() throws IOException {
        Talk client = brief();
        ByteBuffer sent = sent(client);
        sent.put(Talk.HEADER_BYTES, (byte) (sent.get(Talk.HEADER_BYTES) + 1));
        assertThrows(Talk.WrongBytes.class, () -> Talk.accepted(ledger, "b").onReceived(sent));
    }

    @Test
    void oneWrongBitOfTheHeaderIsFound() throws IOException {
        ByteBuffer sent = sent(brief());
        sent.put(3, (byte) (sent.get(3) ^ 1));
        assertThrows(Talk.WrongBytes.class, () -> Talk.accepted(ledger, "b").onReceived(sent));
    }

    @Test
    void oneLostByteIsFound() throws IOException {
        ByteBuffer sent = sent(brief());
        Talk server = Talk.accepted(ledger, "b");
        server.onReceived(sent.slice(0, Talk.HEADER_BYTES));
        assertThrows(
                Talk.WrongBytes.class,
                () -> server.onReceived(sent.slice(Talk.HEADER_BYTES + 1, sent.remaining() - Talk.HEADER_BYTES - 1)));
    }

    @Test
    void bytesOfAnotherConnectionAreFound() throws IOException {
        ByteBuffer other = sent(Talk.connecting(ledger, Ids.of(PROCESS, true, 2), "0 a-b"));
        Talk server = Talk.accepted(ledger, "b");
        server.onReceived(sent(brief()).slice(0, Talk.HEADER_BYTES));
        assertThrows(Talk.WrongBytes.class, () -> server.onReceived(other.slice(Talk.HEADER_BYTES, 20)));
    }

    @Test
    void oneByteTooManyIsFound() throws IOException {
        Talk server = Talk.accepted(ledger, "b");
        server.onReceived(sent(brief()));
        assertThrows(Talk.WrongBytes.class, () -> server.onReceived(ByteBuffer.allocate(1)));
    }

    @Test
    void anAnswerBeforeItsQuestionIsFound() {
        Talk client = brief();
        assertThrows(Talk.WrongBytes.class, () -> client.onReceived(ByteBuffer.allocate(1)));
    }

    @Test
    void anEndBeforeTheLastByteIsFound() throws IOException {
        ByteBuffer sent = sent(brief());
        Talk server = Talk.accepted(ledger, "b");
        server.onReceived(sent.limit(sent.limit() - 1));
        assertThrows(EOFException.class, server::onPeerEnded);
    }

    @Test
    void anEndBeforeTheHeaderIsFound() {
        assertThrows(EOFException.class, () -> Talk.accepted(ledger, "b").onPeerEnded());
    }

    private Talk brief() {
        return Talk.connecting(ledger, Ids.of(PROCESS, true, 1), "0 a-b");
    }

    /** Returns what a client sends first: of a brief connection, all. */
    private static ByteBuffer sent(Talk client) {
        ByteBuffer sent = ByteBuffer.allocate(1 << 13);
        assertTrue(client.fill(sent));
        client.onSent(sent.remaining());
        assertFalse(client.maySend());
        return sent;
    }

    /** Moves what one end may send to the other; returns whether there was something. */
    private static boolean move(Talk from, Talk to) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(1 << 16);
        if (from.fill(piece)) {
            from.onSent(piece.remaining());
            to.onReceived(piece);
            return true;
        }
        if (from.mayEnd()) {
            from.onEnded();
            to.onPeerEnded();
            return true;
        }
        return false;
    }
}

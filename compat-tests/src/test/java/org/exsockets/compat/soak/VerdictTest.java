package org.exsockets.compat.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictTest {
    /** Connects to a process at node 1. */
    private static final long ID = Ids.of(1, false, 5);

    private static final String TO_NODE_1 = "1 STREAMS-STREAMS";

    @TempDir
    Path directory;

    private final Lives lives = new Lives();
    private final int client = begin(0);
    private final int server = begin(1);

    private int begin(int node) {
        int process = lives.begin(node);
        lives.ready(process);
        return process;
    }

    @Test
    void whatWasAcknowledgedWasReceived() throws IOException {
        note(client, Ledger.Event.DONE, ID, TO_NODE_1, null);
        assertTrue(judge().get(0).contains("acknowledged, but not received"));
        note(server, Ledger.Event.VERIFIED, ID, "streams", null);
        assertEquals(List.of(), judge());
    }

    @Test
    void aResetNeedsTheDeathOfThePeer() throws IOException {
        failed(client, new SocketException("Connection reset"), TO_NODE_1);
        assertUnexplained();
        lives.killed(server);
        failed(client, new SocketException("Connection reset"), TO_NODE_1);
        assertEquals(1, judge().size()); // The first one was before the death.
    }

    @Test
    void aServersResetNeedsTheDeathOfItsClient() throws IOException {
        failed(server, new IOException("Broken pipe"), "streams");
        assertUnexplained();
        lives.killed(client);
        Files.delete(file(server));
        failed(server, new IOException("Broken pipe"), "streams");
        assertEquals(List.of(), judge());
    }

    @Test
    void anEarlyEndNeedsTheDeathOfThePeer() throws IOException {
        failed(client, new EOFException("the end, too early"), TO_NODE_1);
        assertUnexplained();
    }

    @Test
    void aRefusedConnectNeedsANodeThatIsDown() throws IOException {
        failed(client, new ConnectException("Connection refused"), TO_NODE_1);
        assertUnexplained();
        Files.delete(file(client));
        lives.killed(server);
        failed(client, new ConnectException("Connection refused"), TO_NODE_1);
        assertEquals(List.of(), judge());
        begin(1);
        Files.delete(file(client));
        failed(client, new ConnectException("Connection refused"), TO_NODE_1);
        assertUnexplained();
    }

    @Test
    void aLackOfDescriptorsNeedsTheFaultInThatProcess() throws IOException {
        failed(client, new SocketException("Too many open files"), TO_NODE_1);
        assertUnexplained();
        lives.exhausted(server, System.nanoTime(), Long.MAX_VALUE);
        assertUnexplained();
        lives.exhausted(client, 0, Long.MAX_VALUE);
        assertEquals(List.of(), judge());
    }

    @Test
    void theOtherEndOfAConnectionThatLackedDescriptorsIsReset() throws IOException {
        lives.exhausted(client, 0, Long.MAX_VALUE);
        failed(server, new SocketException("Connection reset"), "streams");
        assertUnexplained();
        failed(client, new SocketException("Too many open files"), TO_NODE_1);
        assertEquals(List.of(), judge());
    }

    @Test
    void noFaultExplainsWhatTcpWouldNotSay() throws IOException {
        lives.killed(server);
        failed(client, new ClosedChannelException(), TO_NODE_1);
        assertUnexplained();
    }

    @Test
    void noFaultExplainsWrongBytes() throws IOException {
        lives.killed(server);
        lives.exhausted(client, 0, Long.MAX_VALUE);
        note(client, Ledger.Event.WRONG, ID, TO_NODE_1, new Talk.WrongBytes("wrong byte"));
        assertUnexplained();
    }

    private void assertUnexplained() throws IOException {
        List<String> wrong = judge();
        assertEquals(1, wrong.size(), wrong::toString);
        assertTrue(wrong.get(0).startsWith("nothing explains this: "), wrong::toString);
    }

    private void failed(int process, IOException failure, String where) throws IOException {
        note(process, Ledger.Event.FAILED, ID, where, failure);
    }

    private void note(int process, Ledger.Event event, long id, String where, Exception failure) throws IOException {
        Ledger ledger = new Ledger(file(process), 1);
        ledger.note(event, id, System.nanoTime(), 10, where, failure == null ? "" : Ledger.text(failure));
        ledger.close();
    }

    private Path file(int process) {
        return directory.resolve("ledger-" + process);
    }

    private List<String> judge() throws IOException {
        Verdict verdict = new Verdict(lives);
        for (int process : new int[] {client, server}) {
            if (Files.exists(file(process))) {
                verdict.read(process, file(process));
            }
        }
        return verdict.judge();
    }
}

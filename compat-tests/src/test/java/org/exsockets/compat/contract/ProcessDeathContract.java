package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The other process ends, in order or not, while this one blocks in read, in write, in select, or does something
 * else. Each test has a peer process of its own.
 */
@Tag("placed")
@Tag("processes")
class ProcessDeathContract extends Contract {
    /** A generous bound: what is wanted is some milliseconds, and the tests print what they measured. */
    private PeerJvm mortal;

    private PeerListener mortalListener;

    @BeforeEach
    void startMortalPeer() throws Exception {
        mortal = closing(PeerJvm.start());
        mortalListener = mortal.listen(Face.NIO);
    }

    @Test
    void killEndsABlockedSocketRead() throws Exception {
        Socket local = socketToMortal().local();
        Background<String> read =
                Background.start(() -> outcome(() -> local.getInputStream().read()));
        read.awaitBlockedIn("read");
        assertDeathNoticed("socket read", read);
    }

    @Test
    void killEndsABlockedChannelRead() throws Exception {
        SocketChannel local = channelToMortal().local();
        Background<String> read = Background.start(() -> outcome(() -> local.read(ByteBuffer.allocate(10))));
        read.awaitBlockedIn("read");
        assertDeathNoticed("channel read", read);
    }

    @Test
    void killEndsASleepingSelect() throws Exception {
        SocketChannel local = channelToMortal().local();
        SelectionKey key = registered(local, OP_READ);
        Background<String> read = Background.start(() -> {
            key.selector().select();
            assertTrue(key.isReadable());
            return outcome(() -> local.read(ByteBuffer.allocate(10)));
        });
        read.awaitBlockedIn("select");
        assertDeathNoticed("select", read);
    }

    @Test
    void killEndsABlockedWrite() throws Exception {
        Socket local = socketToMortal().local();
        Background<Integer> write = startWrites(local);
        long startNs = System.nanoTime();
        mortal.kill();
        Throwable thrown = write.thrown();
        assertNoticed("socket write", startNs);
        assertTrue(thrown instanceof IOException, thrown.toString());
    }

    @Test
    void killBetweenOperationsIsSeenByTheNextRead() throws Exception {
        ChannelLink link = channelToMortal();
        link.local().write(Pattern.buffer(0, 100));
        link.remote().read(100);
        mortal.kill();
        mortal.awaitEnd();
        String outcome = outcome(() -> link.local().read(ByteBuffer.allocate(10)));
        assertTrue(transport().abruptDeathIs(outcome), outcome);
    }

    @Test
    void killBetweenOperationsIsSeenByWritesInTheEnd() throws Exception {
        ChannelLink link = channelToMortal();
        mortal.kill();
        mortal.awaitEnd();
        assertThrowsA(IOException.class, () -> {
            while (true) {
                link.local().write(ByteBuffer.allocate(10));
            }
        });
    }

    @Test
    void bytesWrittenBeforeTheKillAreReadFirst() throws Exception {
        ChannelLink link = channelToMortal();
        link.remote().write(50_000);
        mortal.kill();
        mortal.awaitEnd();
        readPattern(link.local(), 0, 50_000);
        String outcome = outcome(() -> link.local().read(ByteBuffer.allocate(10)));
        assertTrue(transport().abruptDeathIs(outcome), outcome);
    }

    @Test
    void killWithUnreadBytesIsAReset() throws Exception {
        ChannelLink link = channelToMortal();
        link.local().write(Pattern.buffer(0, 1000));
        link.remote().read(10);
        mortal.kill();
        mortal.awaitEnd();
        assertEquals("Connection reset", outcome(() -> link.local().read(ByteBuffer.allocate(10))));
    }

    @Test
    void killOfAListenersProcessRefusesLaterConnections() throws Exception {
        channelToMortal();
        mortal.kill();
        mortal.awaitEnd();
        assertThrows(
                ConnectException.class,
                "Connection refused",
                () -> SocketChannel.open(testAddress(mortalListener.port())));
    }

    @Test
    void portOfAKilledProcessCanBeListenedOnAndReachedAgain() throws Exception {
        mortal.kill();
        mortal.awaitEnd();
        ServerSocketChannel successor = closing(ServerSocketChannel.open()).bind(testAddress(mortalListener.port()));
        PeerSocket remote = peer().connect(Face.NIO, TestHost.NAME, port(successor));
        SocketChannel local = closing(successor.accept());
        closing(remote::close);
        remote.write(1000);
        readPattern(local, 0, 1000);
    }

    @Test
    void killOfTheClientIsNoticedByTheAcceptingSide() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        PeerSocket remote = mortal.connect(Face.NIO, TestHost.NAME, port(listener));
        SocketChannel local = closing(listener.accept());
        remote.write(10);
        readPattern(local, 0, 10);
        Background<String> read = Background.start(() -> outcome(() -> local.read(ByteBuffer.allocate(10))));
        read.awaitBlockedIn("read");
        assertDeathNoticed("accepted channel read", read);
    }

    @Test
    void killedClientThatWasNeverAcceptedLeavesTheListenerUsable() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        mortal.connect(Face.NIO, TestHost.NAME, port(listener)).awaitOpen();
        mortal.kill();
        mortal.awaitEnd();
        SocketChannel dead = closing(listener.accept());
        String outcome = outcome(() -> dead.read(ByteBuffer.allocate(10)));
        assertTrue(transport().abruptDeathIs(outcome), outcome);
        PeerSocket remote = peer().connect(Face.NIO, TestHost.NAME, port(listener));
        SocketChannel alive = closing(listener.accept());
        closing(remote::close);
        remote.write(10);
        readPattern(alive, 0, 10);
    }

    @Test
    void exitWithoutCloseIsAnOrderlyEndAfterAllBytes() throws Exception {
        ChannelLink link = channelToMortal();
        link.remote().write(100_000);
        mortal.exit();
        readPattern(link.local(), 0, 100_000);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(10)));
    }

    @ParameterizedTest
    @EnumSource(Face.class)
    void exitWithALingerTimeOfZeroIsAReset(Face face) throws Exception {
        ServerSocketChannel listener = listeningChannel();
        PeerSocket remote = mortal.connect(face, TestHost.NAME, port(listener));
        SocketChannel local = closing(listener.accept());
        remote.lingerNot();
        mortal.exit();
        mortal.awaitEnd();
        assertThrows(SocketException.class, "Connection reset", () -> local.read(ByteBuffer.allocate(10)));
        assertThrows(IOException.class, "Broken pipe", () -> local.write(ByteBuffer.allocate(10)));
    }

    @Test
    void endOfMainWithoutCloseIsAnOrderlyEndAfterAllBytes() throws Exception {
        SocketLink link = socketToMortal();
        link.remote().write(100_000);
        mortal.returnFromMain();
        InputStream in = link.local().getInputStream();
        Pattern.check(0, in.readNBytes(100_000), 0, 100_000);
        assertEquals(-1, in.read());
    }

    @Test
    void exitAfterManySmallWritesThatNobodyHasReadYetIsAnOrderlyEndAfterAllBytes() throws Exception {
        ChannelLink link = channelToMortal();
        link.remote().write(20_000, 10);
        link.remote().close();
        mortal.exit();
        mortal.awaitEnd();
        readPattern(link.local(), 0, 20_000);
        assertEquals(-1, link.local().read(ByteBuffer.allocate(10)));
    }

    @Test
    void clientThatWroteAndEndedBeforeItWasAcceptedIsReadToItsEnd() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        PeerSocket remote = mortal.connect(Face.NIO, TestHost.NAME, port(listener));
        remote.write(1000);
        remote.close();
        mortal.exit();
        mortal.awaitEnd();
        SocketChannel local = closing(listener.accept());
        readPattern(local, 0, 1000);
        assertEquals(-1, local.read(ByteBuffer.allocate(10)));
    }

    @Test
    void afterTheExitOfThePeerOneWriteSucceedsAndTheNextFails() throws Exception {
        ChannelLink link = channelToMortal();
        mortal.exit();
        mortal.awaitEnd();
        assertEquals(-1, link.local().read(ByteBuffer.allocate(10)));
        assertEquals(10, link.local().write(ByteBuffer.allocate(10)));
        transport().awaitOthers();
        assertThrows(IOException.class, "Broken pipe", () -> link.local().write(ByteBuffer.allocate(10)));
    }

    @Test
    void haltAfterWritesDeliversAllBytesAndThenEnds() throws Exception {
        ChannelLink link = channelToMortal();
        link.remote().write(100_000);
        mortal.halt();
        readPattern(link.local(), 0, 100_000);
        String outcome = outcome(() -> link.local().read(ByteBuffer.allocate(10)));
        assertTrue(transport().abruptDeathIs(outcome), outcome);
    }

    @Test
    void deathOfOneProcessLeavesConnectionsToOthersAlone() throws Exception {
        ChannelLink doomed = channelToMortal();
        ChannelLink other = connectedChannel();
        mortal.kill();
        mortal.awaitEnd();
        outcome(() -> doomed.local().read(ByteBuffer.allocate(1)));
        other.remote().write(1000);
        readPattern(other.local(), 0, 1000);
        assertFalse(outcome(() -> doomed.local().read(ByteBuffer.allocate(1))).isEmpty());
    }

    private ChannelLink channelToMortal() throws Exception {
        PeerSocket remote = mortalListener.accept();
        SocketChannel local = closing(SocketChannel.open(testAddress(mortalListener.port())));
        return new ChannelLink(local, remote.awaitOpen());
    }

    private SocketLink socketToMortal() throws Exception {
        PeerSocket remote = mortalListener.accept();
        Socket local = closing(new Socket(TestHost.NAME, mortalListener.port()));
        return new SocketLink(local, remote.awaitOpen());
    }

    private void assertDeathNoticed(String where, Background<String> read) throws Exception {
        long startNs = System.nanoTime();
        mortal.kill();
        String outcome = read.result();
        assertNoticed(where, startNs);
        assertTrue(transport().abruptDeathIs(outcome), outcome);
    }

    private void assertNoticed(String where, long startNs) {
        double elapsedMs = (System.nanoTime() - startNs) / 1e6;
        System.out.printf("death of the peer noticed: %s, %s, ms=%.1f%n", transport(), where, elapsedMs);
    }

    /** Returns {@code "end of stream"}, the message of the IOException, or what else was read. */
    private static String outcome(Callable<Integer> read) throws Exception {
        try {
            int n = read.call();
            return n == -1 ? "end of stream" : "read " + n;
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}

package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Told;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asynchronous channels: closing at either end, half closes, resets, the death of the peer. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousEndingsContract extends AsynchronousContract {
    @Test
    void closeFailsAPendingReadWithAsynchronousClose() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        Future<Integer> read = local.read(ByteBuffer.allocate(1));
        local.close();
        assertThrown(AsynchronousCloseException.class, null, failure(read));
    }

    @Test
    void closeFailsAPendingWriteWithAsynchronousClose() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        Future<Integer> write = fill(local);
        local.close();
        assertThrown(AsynchronousCloseException.class, null, failure(write));
    }

    @Test
    void closeTellsEachHandlerOnceInAThreadOfTheGroup() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        Told<Integer> read = new Told<>();
        Told<Integer> write = new Told<>();
        local.read(ByteBuffer.allocate(1), null, read);
        fill(local).cancel(false);
        local.close();
        local.close();
        assertThrown(AsynchronousCloseException.class, null, read.failure());
        assertEquals(1, read.calls());
        assertOfGroup(read);
        assertEquals(0, write.calls());
    }

    @Test
    void closedChannelRefusesThroughFutureAndHandler() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        local.close();
        assertThrown(ClosedChannelException.class, null, failure(local.read(ByteBuffer.allocate(1))));
        assertThrown(ClosedChannelException.class, null, failure(local.write(ByteBuffer.allocate(0))));
        Told<Integer> told = new Told<>();
        local.write(ByteBuffer.allocate(1), "attached", told);
        assertThrown(ClosedChannelException.class, null, told.failure());
        assertEquals("attached", told.attachment());
        assertOfGroup(told);
        Told<Long> gathered = new Told<>();
        local.write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 0, TimeUnit.SECONDS, null, gathered);
        assertThrown(ClosedChannelException.class, null, gathered.failure());
    }

    @Test
    void closeOfThePeerEndsAPendingRead() throws Throwable {
        AsynchronousLink link = connected();
        Told<Integer> told = new Told<>();
        link.local().read(ByteBuffer.allocate(1), null, told);
        link.remote().close();
        assertEquals(-1, told.result());
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
    }

    @Test
    void endOfStreamComesAfterTheLastByteAndStays() throws Exception {
        AsynchronousLink link = connected();
        link.remote().write(100_000);
        link.remote().shutdownOutput();
        readPattern(link.local(), 0, 100_000);
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
        Told<Long> scattered = new Told<>();
        link.local().read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 0, TimeUnit.SECONDS, null, scattered);
        await("told", scattered::isDone);
        assertEquals(0, get(link.local().read(ByteBuffer.allocate(0))));
    }

    @Test
    void halfCloseOfThePeerLeavesTheOtherDirectionOpen() throws Exception {
        AsynchronousLink link = connected();
        link.remote().shutdownOutput();
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
        var read = link.remote().startRead(200_000);
        writeFully(link.local(), Pattern.buffer(0, 200_000));
        assertEquals("200000", PeerJvm.await(read));
    }

    @Test
    void shutdownOutputEndsThePeersStreamAndOurWrites() throws Exception {
        AsynchronousLink link = connected();
        writeFully(link.local(), Pattern.buffer(0, 1000));
        link.local().shutdownOutput();
        link.local().shutdownOutput();
        assertEquals(1000, link.remote().readToEnd());
        assertThrown(ClosedChannelException.class, null, failure(link.local().write(ByteBuffer.allocate(1))));
        assertThrown(ClosedChannelException.class, null, failure(link.local().write(ByteBuffer.allocate(0))));
        link.remote().write(10);
        readPattern(link.local(), 0, 10);
    }

    @Test
    void missingBufferIsNotLookedForAfterShutdownOutput() throws Throwable {
        AsynchronousSocketChannel local = connected().local();
        ByteBuffer[] sources = {ByteBuffer.allocate(1), null};
        Told<Long> before = new Told<>();
        local.write(sources, 0, 2, 0, TimeUnit.SECONDS, null, before);
        assertEquals(NullPointerException.class, before.failure().getClass());
        local.shutdownOutput();
        Told<Long> after = new Told<>();
        local.write(sources, 0, 2, 0, TimeUnit.SECONDS, null, after);
        assertThrown(ClosedChannelException.class, null, after.failure());
    }

    @Test
    void shutdownOutputLeavesNoOptionToBeSet() throws Exception {
        AsynchronousSocketChannel local = connected().local();
        local.shutdownOutput();
        assertThrows(
                IOException.class,
                "Connection has been shutdown for writing",
                () -> local.setOption(StandardSocketOptions.SO_KEEPALIVE, true));
        assertFalse(local.getOption(StandardSocketOptions.SO_KEEPALIVE));
    }

    @Test
    void shutdownOutputBreaksAPendingWrite() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> write = fill(link.local());
        link.local().shutdownOutput();
        assertThrown(IOException.class, "Broken pipe", failure(write));
    }

    @Test
    void shutdownInputEndsAPendingReadAndThoseThatFollow() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
        link.local().shutdownInput();
        assertEquals(-1, get(read));
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(0))));
        var arrived = link.remote().startRead(5);
        get(link.local().write(Pattern.buffer(0, 5)));
        assertEquals("5", PeerJvm.await(arrived));
    }

    @Test
    void resetByThePeerFailsAPendingRead() throws Exception {
        AsynchronousLink link = connected();
        Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
        link.remote().abort();
        assertThrown(IOException.class, "Connection reset", failure(read));
    }

    @Test
    void resetByThePeerIsToldOnce() throws Exception {
        AsynchronousLink link = connected();
        link.remote().abort();
        assertThrown(IOException.class, "Connection reset", failure(link.local().read(ByteBuffer.allocate(1))));
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
        assertEquals(-1, get(link.local().read(ByteBuffer.allocate(1))));
    }

    @Test
    void resetByThePeerIsToldToThePendingWriteAndNotToThePendingRead() throws Exception {
        // Over shared memory a round takes a millisecond, and the group may not have heard yet that the write waits.
        for (int rounds = transport() == Transport.SOFT ? 10 : 1; rounds > 0; rounds--) {
            AsynchronousLink link = connected();
            Future<Integer> read = link.local().read(ByteBuffer.allocate(1));
            Future<Integer> write = fill(link.local());
            link.remote().abort();
            assertThrown(IOException.class, "Connection reset by peer", failure(write));
            assertEquals(-1, get(read));
        }
    }

    @Test
    void writesToAPeerThatIsGoneFailSoonerOrLater() throws Exception {
        AsynchronousLink link = connected();
        link.remote().abort();
        await("a failing write", () -> {
            try {
                get(link.local().write(ByteBuffer.allocate(1000)));
                return false;
            } catch (ExecutionException e) {
                return e.getCause() instanceof IOException;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void unreadBytesMakeACloseAResetForThePeer() throws Exception {
        AsynchronousLink link = connected();
        link.remote().write(10);
        assertEquals(1, get(link.local().read(ByteBuffer.allocate(1))));
        var toEnd = link.remote().startReadToEnd();
        link.local().close();
        assertThrowsA(IOException.class, () -> PeerJvm.await(toEnd));
    }

    @Test
    void killedPeerEndsAPendingRead() throws Exception {
        PeerJvm mortal = closing(PeerJvm.start());
        AsynchronousSocketChannel local = connectedTo(mortal);
        Future<Integer> read = local.read(ByteBuffer.allocate(10));
        mortal.kill();
        assertTrue(transport().abruptDeathIs(outcome(read)), outcome(read));
    }

    @Test
    void killedPeerFailsAPendingWrite() throws Exception {
        PeerJvm mortal = closing(PeerJvm.start());
        AsynchronousSocketChannel local = connectedTo(mortal);
        Future<Integer> write = fill(local);
        mortal.kill();
        assertTrue(failure(write) instanceof IOException);
    }

    @Test
    void killedClientEndsAReadOfAnAcceptedChannel() throws Exception {
        PeerJvm mortal = closing(PeerJvm.start());
        var listener = listener(group(1));
        Future<AsynchronousSocketChannel> accept = listener.accept();
        mortal.connect(Face.NIO, TestHost.NAME, port(listener)).awaitOpen();
        AsynchronousSocketChannel local = closing(get(accept));
        Future<Integer> read = local.read(ByteBuffer.allocate(10));
        mortal.kill();
        assertTrue(transport().abruptDeathIs(outcome(read)), outcome(read));
    }

    private AsynchronousSocketChannel connectedTo(PeerJvm mortal) throws Exception {
        PeerListener listener = mortal.listen(Face.NIO);
        PeerSocket remote = listener.accept();
        AsynchronousSocketChannel local = channel(group(1));
        get(local.connect(testAddress(listener.port())));
        remote.awaitOpen();
        return local;
    }

    private static String outcome(Future<Integer> read) throws Exception {
        try {
            int n = get(read);
            return n == -1 ? "end of stream" : "read " + n;
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        }
    }
}

package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking reads of large direct buffers, which a device may let the peer write to. */
@Tag("placed")
class LargeReadsContract extends Contract {
    /** Takes longer to copy than to send a signal. */
    private static final int HUGE_BYTES = 64 << 20;

    private static final int LARGE_BYTES = 1 << 20;
    private static final int ROUNDS = 40;

    @Test
    void readersAheadAndWritersAheadAlternate() throws Exception {
        ChannelLink link = connectedChannel();
        ByteBuffer target = ByteBuffer.allocateDirect(LARGE_BYTES);
        long position = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int length = round % 3 == 0 ? 1000 : LARGE_BYTES - round * 1000;
            if (round % 2 == 0) {
                Background<Integer> read = Background.start(() -> link.local().read(target.clear()));
                read.awaitBlockedIn("read");
                CompletableFuture<String> write = link.remote().startWrite(length, length);
                int n = read.result();
                Pattern.check(position, target, 0, n);
                readAndCheck(link.local(), target, position + n, length - n);
                PeerJvm.await(write);
            } else {
                CompletableFuture<String> write = link.remote().startWrite(length, length);
                readAndCheck(link.local(), target, position, length);
                PeerJvm.await(write);
            }
            position += length;
        }
        link.remote().close();
        assertEquals(-1, link.local().read(target.clear()));
    }

    private static void readAndCheck(SocketChannel from, ByteBuffer target, long position, long length)
            throws IOException {
        for (long got = 0; got < length; ) {
            int n = from.read(target.clear().limit((int) Math.min(target.capacity(), length - got)));
            assertTrue(n > 0, "the stream ended");
            Pattern.check(position + got, target, 0, n);
            got += n;
        }
    }

    @Test
    void anInterruptedReadLeavesTheStreamOfOthersAlone() throws Exception {
        ChannelLink link = connectedChannel();
        ChannelLink other = connectedChannel();
        ByteBuffer target = ByteBuffer.allocateDirect(LARGE_BYTES);
        Background<Integer> read = Background.start(() -> link.local().read(target));
        read.awaitBlockedIn("read");
        read.thread().interrupt();
        assertEquals(
                "java.nio.channels.ClosedByInterruptException",
                read.thrown().getClass().getName());
        assertEquals(0, target.position());
        CompletableFuture<String> write = other.remote().startWrite(LARGE_BYTES, LARGE_BYTES);
        readAndCheck(other.local(), target, 0, LARGE_BYTES);
        PeerJvm.await(write);
    }

    /** The peer is stopped while it writes, at best in the middle of a copy, and goes on when the read is over. */
    @ParameterizedTest
    @ValueSource(strings = {"interrupt", "close"})
    @TimeLimit(LONG)
    void aBufferDoesNotChangeOnceTheReadHasReturned(String how) throws Exception {
        PeerJvm stopped = closing(PeerJvm.start());
        PeerListener listener = stopped.listen(Face.NIO);
        PeerSocket remote = listener.accept();
        SocketChannel local = closing(SocketChannel.open(testAddress(listener.port())));
        remote.awaitOpen();
        ByteBuffer target = ByteBuffer.allocateDirect(HUGE_BYTES);
        Background<Integer> read = Background.start(() -> local.read(target));
        read.awaitBlockedIn("read");
        CompletableFuture<String> write = remote.startWrite(HUGE_BYTES, HUGE_BYTES);
        while (target.get(0) == 0 && target.get(1) == 0 && !read.isDone()) {
            Thread.onSpinWait();
        }
        stopped.stop();
        try {
            if (how.equals("close")) {
                local.close();
            } else {
                read.thread().interrupt();
            }
            boolean early = ended(read);
            long before = Pattern.checksum(target);
            local.close();
            stopped.resume();
            PeerJvm.awaitEnd(write);
            assertEquals(before, Pattern.checksum(target), "the buffer has changed");
            System.out.println("large read: " + how + ", ended by it: " + early + ", position=" + target.position());
        } finally {
            stopped.resume();
        }
    }

    /** {@return whether the call has ended without bytes} */
    private static boolean ended(Background<Integer> read) throws InterruptedException {
        try {
            return read.result() <= 0;
        } catch (IOException closed) {
            return true;
        }
    }
}

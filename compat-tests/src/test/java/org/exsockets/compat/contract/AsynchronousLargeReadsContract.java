package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.InterruptedByTimeoutException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Told;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pending reads of large direct buffers of asynchronous channels, which a device may let the peer write to. */
@Tag("placed")
@Tag("fallback")
@NotOver(
        value = Transport.DISNI,
        reason = "direct transfers into memory of the program that the software device shares")
class AsynchronousLargeReadsContract extends AsynchronousContract {
    private static final int LARGE_BYTES = 1 << 20;

    /** Takes longer to copy than to send a signal. */
    private static final int HUGE_BYTES = 64 << 20;

    private static final int ROUNDS = 40;

    private PeerJvm other;
    private AsynchronousSocketChannel local;
    private PeerSocket remote;

    @BeforeEach
    void connect() throws Exception {
        other = closing(PeerJvm.start());
        PeerListener listener = other.listen(Face.NIO);
        remote = listener.accept();
        local = channel(group(2));
        get(local.connect(testAddress(listener.port())));
        remote.awaitOpen();
    }

    @Test
    void pendingReadsAndReadsOfWhatIsThereAlternate() throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(LARGE_BYTES);
        long position = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int length = round % 5 == 0 ? 1000 : LARGE_BYTES - round * 1000;
            if (round % 4 == 0) {
                remote.write(1000, 1000);
                length = 1000;
            }
            Future<Integer> read = local.read(target.clear());
            CompletableFuture<String> write =
                    round % 4 == 0 ? CompletableFuture.completedFuture("") : remote.startWrite(length, length);
            int n = get(read);
            Pattern.check(position, target, 0, n);
            assertEquals(n, target.position());
            while (n < length) {
                target.clear().limit(length - n);
                int more = get(local.read(target));
                assertTrue(more > 0, "the stream ended");
                Pattern.check(position + n, target, 0, more);
                n += more;
            }
            PeerJvm.await(write);
            position += length;
        }
        Future<Integer> last = local.read(target.clear());
        remote.shutdownOutput();
        assertEquals(-1, get(last));
        other.exit();
        if (transport() == Transport.SOFT && System.getProperty("exs.direct.buffers") != null) {
            assertTrue(Transport.directBytes(other.errors(), "sent") > LARGE_BYTES, other.errors());
        }
    }

    @Test
    void shutdownInputEndsAPendingRead() throws Exception {
        Future<Integer> read = local.read(ByteBuffer.allocateDirect(LARGE_BYTES));
        local.shutdownInput();
        assertEquals(-1, get(read)); // Before bytes come: over TCP a read that has not been told yet gets them.
        remote.write(10);
        assertEquals(-1, get(local.read(ByteBuffer.allocateDirect(LARGE_BYTES))));
    }

    @Test
    void aResetFailsAPendingRead() throws Exception {
        Future<Integer> read = local.read(ByteBuffer.allocateDirect(LARGE_BYTES));
        remote.abort();
        assertEquals("Connection reset", failure(read).getMessage());
    }

    /** The peer is stopped while it writes, at best in the middle of a copy, and goes on when the read is over. */
    @Tag("stopped")
    @ParameterizedTest
    @ValueSource(strings = {"time-out", "close", "cancel"})
    @TimeLimit(LONG)
    void aBufferDoesNotChangeOnceTheReadIsOver(String how) throws Exception {
        ByteBuffer target = ByteBuffer.allocateDirect(HUGE_BYTES);
        Told<Integer> told = new Told<>();
        Future<Integer> future = null;
        if (how.equals("cancel")) {
            future = local.read(target);
        } else {
            long timeout = how.equals("close") ? 0 : 1;
            local.read(target, timeout, TimeUnit.SECONDS, null, told);
        }
        CompletableFuture<String> write = remote.startWrite(HUGE_BYTES, HUGE_BYTES);
        while (target.get(0) == 0 && target.get(1) == 0 && !told.isDone() && (future == null || !future.isDone())) {
            Thread.onSpinWait();
        }
        other.stop();
        try {
            boolean early = isOverEarly(how, told, future);
            long before = Pattern.checksum(target);
            local.close();
            other.resume();
            PeerJvm.awaitEnd(write);
            assertEquals(before, Pattern.checksum(target), "the buffer has changed");
            System.out.println("asynchronous read: " + how + ", ended by it: " + early);
        } finally {
            other.resume();
        }
    }

    /** {@return whether the read has ended without bytes} */
    private boolean isOverEarly(String how, Told<Integer> told, Future<Integer> future) throws Exception {
        if (how.equals("close")) {
            local.close();
        }
        if (future != null) {
            boolean cancelled = future.cancel(true);
            try {
                return get(future) <= 0;
            } catch (CancellationException e) {
                assertTrue(cancelled);
                return true;
            }
        }
        try {
            return told.result() <= 0;
        } catch (AsynchronousCloseException | InterruptedByTimeoutException e) {
            return true;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}

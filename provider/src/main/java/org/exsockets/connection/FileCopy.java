package org.exsockets.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.exsockets.connection.WriteCall.Of;
import org.exsockets.memory.OwnBuffers;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Copies between files and connections, through direct buffers that stay in a core's cache. Files are read, not mapped:
 * if a file is truncated, a read is short, but a copy from mapped memory may end the JVM.
 *
 * <p>Any thread. A copy takes its buffer from {@link #SPARE} and gives it back. So copies of any length allocate
 * nothing, unless very many run at a time.
 */
public final class FileCopy {
    private static final int CHUNK_BYTES = 128 * 1024;

    /** Large buffers at a time; further copies, most of which wait, use small arrays. */
    private static final int MAX_LARGE = 32;

    private static final int SMALL_BYTES = 8 * 1024;

    /** A non-blocking copy offers at least so much: without room, its write reports how the connection has ended. */
    private static final int LEAST_OFFER_BYTES = 4 * 1024;

    /**
     * A thread that waits for room gets no event when the file is closed, so it looks. It looks seldom: a copy that
     * waits so long is not in a hurry.
     */
    private static final Wait UNTIL_FILE_IS_LOOKED_AT = new Wait(TimeUnit.MILLISECONDS.toNanos(50), true);

    /**
     * Buffers between two copies. A thread takes one by exchanging null for it, and owns it then; one that is given
     * back to a full array is garbage.
     */
    private static final AtomicReferenceArray<@Nullable ByteBuffer> SPARE =
            new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());

    /** Copies that have a large buffer now: those to peers that do not read keep theirs for long. */
    private static final AtomicInteger LARGE = new AtomicInteger();

    private FileCopy() {}

    private static ByteBuffer takeBuffer() {
        if (LARGE.incrementAndGet() > MAX_LARGE) {
            LARGE.decrementAndGet();
            return ByteBuffer.allocate(SMALL_BYTES);
        }
        try {
            return takeLargeBuffer();
        } catch (OutOfMemoryError full) {
            LARGE.decrementAndGet();
            return ByteBuffer.allocate(SMALL_BYTES);
        }
    }

    private static ByteBuffer takeLargeBuffer() {
        for (int i = 0; i < SPARE.length(); i++) {
            ByteBuffer spare = SPARE.getPlain(i) == null ? null : SPARE.getAndSet(i, null);
            if (spare != null) {
                return spare.clear();
            }
        }
        return OwnBuffers.allocate(CHUNK_BYTES);
    }

    private static void giveBack(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return;
        }
        LARGE.decrementAndGet();
        for (int i = 0; i < SPARE.length(); i++) {
            if (SPARE.getPlain(i) == null && SPARE.compareAndSet(i, null, buffer)) {
                return;
            }
        }
    }

    /**
     * Writer of the connection: sends a part of a file as sendfile does: all of it or, without {@code blocking}, what
     * there is room for. Sends less if the file is shorter, or if the connection or the file is closed meanwhile.
     *
     * @return bytes sent; a code of {@link Outcome} if none were
     * @throws ClosedByInterruptException if the thread is or was interrupted; the file is closed then, the connection
     *     is not
     * @throws AsynchronousCloseException if the file was closed before anything was sent
     * @throws IOException as {@link ExsConnection#write(ByteBuffer, Turn)}, if nothing was sent
     */
    static long send(FileChannel file, long position, long count, ConnectionWriter target, boolean blocking)
            throws IOException {
        ByteBuffer buffer = takeBuffer().limit(0);
        long sent = 0;
        try {
            while (sent < count) {
                long offer = Math.min(count - sent, buffer.capacity());
                if (!blocking) {
                    offer = Math.min(offer, Math.max(LEAST_OFFER_BYTES, target.writableBytes()));
                }
                int n = file.read(buffer.clear().limit((int) offer), position + sent);
                buffer.flip();
                if (n <= 0) {
                    break;
                }
                int ended = blocking ? writeAll(buffer, target, file) : target.write(Of.FILE, buffer, Wait.NONE);
                sent += buffer.position();
                if (ended == Outcome.INTERRUPTED) {
                    file.close();
                    throw new ClosedByInterruptException();
                }
                if (buffer.hasRemaining() || sent < count && target.hasEnded()) {
                    target.forgetReset();
                    if (sent == 0 && ended == Outcome.TIMED_OUT) {
                        throw new AsynchronousCloseException(); // Of the file.
                    }
                    return sent > 0 ? sent : ended;
                }
            }
            return sent;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            sent += buffer.position();
            if (sent > 0) {
                return sent;
            }
            throw e;
        } finally {
            giveBack(buffer);
        }
    }

    /** {@return as {@link ExsConnection#write(ByteBuffer, Turn)}; {@link Outcome#TIMED_OUT} if the file was closed} */
    private static int writeAll(ByteBuffer buffer, ConnectionWriter target, FileChannel file) throws IOException {
        int ended;
        do {
            ended = target.write(Of.FILE, buffer, UNTIL_FILE_IS_LOOKED_AT);
            // In a virtual thread a write may return a part.
        } while (ended > 0 && buffer.hasRemaining() || ended == Outcome.TIMED_OUT && file.isOpen());
        return ended;
    }

    /**
     * Stores into a file what a channel gives, until {@code count} bytes, the end of the stream, or a moment without
     * bytes in non-blocking mode.
     *
     * @return bytes stored
     * @throws IOException what the channel or the file throws, if nothing was stored; otherwise the next call throws it
     */
    public static long receive(ReadableByteChannel source, FileChannel file, long position, long count)
            throws IOException {
        ByteBuffer buffer = takeBuffer();
        long stored = 0;
        try {
            while (stored < count) {
                buffer.clear().limit((int) Math.min(count - stored, buffer.capacity()));
                if (source.read(buffer) <= 0) {
                    break;
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    stored += file.write(buffer, position + stored);
                }
            }
            return stored;
        } catch (IOException e) {
            if (stored > 0) {
                return stored;
            }
            throw e;
        } finally {
            giveBack(buffer);
        }
    }
}

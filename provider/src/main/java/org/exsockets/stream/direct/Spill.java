package org.exsockets.stream.direct;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.memory.CheckedCopy;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the stream that the peer has written to detached memory. They come before all bytes in the hidden buffer.
 * The poller adds, the reader takes.
 */
public final class Spill {
    /** Null until the first one; published by {@link #bytes}. */
    private @Nullable ConcurrentLinkedQueue<ByteBuffer> pieces;

    /** The poller adds after it has queued a piece. So while this is above 0, the reader finds a piece. */
    private final AtomicLong bytes = new AtomicLong();

    /** {@return bytes that wait to be read; any thread} */
    public long bytes() {
        return bytes.get();
    }

    /** Poller. */
    void add(ByteBuffer piece) {
        int length = piece.remaining();
        if (pieces == null) {
            pieces = new ConcurrentLinkedQueue<>();
        }
        pieces.add(piece);
        bytes.addAndGet(length);
    }

    /** Reader: moves up to {@code length} of the bytes that are there. {@return how many} */
    @SuppressWarnings("NullAway") // There is a piece: bytes is not 0.
    public int take(ByteBuffer target, int at, int length) {
        ByteBuffer piece = pieces.peek();
        int taken = Math.min(length, piece.remaining());
        CheckedCopy.copy(target, at, piece, piece.position(), taken);
        piece.position(piece.position() + taken);
        if (!piece.hasRemaining()) {
            pieces.remove();
        }
        bytes.addAndGet(-taken);
        return taken;
    }
}

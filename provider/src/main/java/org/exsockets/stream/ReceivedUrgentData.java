package org.exsockets.stream;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The position of the urgent byte of the incoming direction, and its effect on reads, as in Linux's TCP.
 *
 * <p>There is one urgent byte at a time. A read ends before it; the next one begins behind it, or with it if the
 * program takes urgent data inline. When a further byte is announced, the earlier one becomes an ordinary byte, unless
 * the reader stands just before it and does not take it inline: then it is dropped.
 *
 * <p>The poller replaces the mark; the reader clears it once it has read past it. A mark has no effect at positions
 * that were already read, so neither thread waits for the other. The mark is set before the byte is counted as arrived,
 * so a thread that sees the byte sees its mark. It is nearly always null, and then costs one load.
 */
public final class ReceivedUrgentData {
    /**
     * @param at position of the urgent byte in the stream
     * @param dropFrom first of the earlier urgent bytes that the reader must skip
     * @param dropEnd end of those
     */
    private record Mark(long at, long dropFrom, long dropEnd) {
        /** {@return where the stream goes on for a reader at {@code position}} */
        long afterDropped(long position) {
            return position >= dropFrom && position < dropEnd ? dropEnd : position;
        }
    }

    private final AtomicReference<Mark> mark = new AtomicReference<>();

    private volatile boolean inline;

    /** Sets whether an urgent byte stays in the stream (SO_OOBINLINE); evaluated at each read. Any thread. */
    public void setInline(boolean inline) {
        this.inline = inline;
    }

    /** {@return whether urgent data has been announced that may not have been read yet; any thread} */
    public boolean isMarked() {
        return mark.get() != null;
    }

    /** Poller: the byte at {@code position}, not before {@code arrived}, will be urgent. */
    void onMark(long position, long arrived, long copied) {
        Mark old = mark.get();
        if (old == null) {
            mark.set(new Mark(position, 0, 0));
            return;
        }
        long reader = old.afterDropped(copied);
        boolean drop = old.at == reader && !inline && arrived > reader;
        long dropEnd = drop ? reader + 1 : reader;
        mark.set(new Mark(position, copied, dropEnd));
    }

    /** Reader: {@return how many of {@code readable} bytes from {@code copied} on are not for the program} */
    long skipped(long copied, long readable) {
        Mark now = mark.get();
        if (now == null) {
            return 0;
        }
        long next = now.afterDropped(copied);
        if (next == now.at && !inline && next < copied + readable) {
            next++;
        }
        return Math.min(next - copied, readable); // A later mark than the arrivals counted here may drop more.
    }

    /** Reader: {@return how many of {@code readable} bytes from {@code copied} on one read may take} */
    long limit(long copied, long readable) {
        Mark now = mark.get();
        if (now == null) {
            return readable;
        }
        if (now.at < copied) {
            mark.compareAndSet(now, null);
            return readable;
        }
        return now.at == copied ? readable : Math.min(readable, now.at - copied);
    }

    /** {@return the bytes that FIONREAD reports: those before an urgent byte that is not inline} */
    long available(long copied, long arrived) {
        Mark now = mark.get();
        if (now == null) {
            return arrived - copied;
        }
        long next = now.afterDropped(copied);
        return !inline && now.at >= next && now.at < arrived ? now.at - next : arrived - next;
    }

    /** {@return whether the reader stands just before the urgent byte, where a read that has begun ends} */
    boolean isAt(long copied) {
        Mark now = mark.get();
        return now != null && now.at == copied;
    }
}

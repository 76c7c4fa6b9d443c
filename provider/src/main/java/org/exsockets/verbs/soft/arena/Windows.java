package org.exsockets.verbs.soft.arena;

import java.util.Objects;
import org.exsockets.memory.Words;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Windows through which the two ends of a connection write to the memory of each other's programs: this end's own,
 * which it opens and closes, and those of the peer, which it enters to write.
 *
 * <p>Each opening of a window has a tag, a serial number and the window, which travels in the upper half of the
 * advertised address. Opening one stores nothing in shared memory, so the writer finds the line of
 * {@link SegmentDescriptor#CLOSED_OFFSET} in its cache: it changes only when a window is closed.
 *
 * <p><b>Closing against entering</b> (Dekker). The writer stores what it enters, then looks whether that is closed. The
 * owner stores what it closes, then looks whether the writer is within. With a full fence between store and look on
 * each side, at least one sees the other. So if the owner finds the writer elsewhere, then either the writer has not
 * come yet, and will find the window closed before it writes a byte; or it has left. The writer leaves by a release
 * store after the one that publishes the message about its bytes, and the owner's look acquires it: bytes and message
 * are there. If both see each other, nothing is written, and the owner looks again later.
 *
 * <p>A writer that is stopped or killed within a window may stay there for ever: {@link ArenaAllocation#detach} is for
 * that. The words of a use of the segment stay as they are until both ends have let go of it.
 */
public final class Windows implements MemoryWindows {
    /** Of one end: a stream has at most so many ADVERTs under way. */
    static final int COUNT = SegmentDescriptor.WINDOWS;

    private static final int TAG_SHIFT = 32;
    private static final long OFFSET_MASK = (1L << TAG_SHIFT) - 1;
    private static final int NOWHERE = 0;

    private final Words words;
    private final int own;
    private final int ofPeer;

    /** By window, its latest tag: the serial number and the window. Null until one is opened. Belongs to the poller. */
    private int @Nullable [] tags;

    private int nextSerial = 1;

    /** @param words of a segment in which no window is open */
    public Windows(Words words, boolean isA) {
        this.words = words;
        this.own = SegmentDescriptor.windowsOffset(isA);
        this.ofPeer = SegmentDescriptor.windowsOffset(!isA);
    }

    /** {@return the offset in an arena that an advertised address stands for} */
    public static long offset(long address) {
        return address & OFFSET_MASK;
    }

    private static int closedOffset(int tag) {
        return SegmentDescriptor.CLOSED_OFFSET + (tag & COUNT - 1) * Integer.BYTES;
    }

    @Override
    public int count() {
        return COUNT;
    }

    /** @param offset in an arena */
    @Override
    public long open(int window, long offset) {
        int tag = nextSerial * COUNT | window;
        nextSerial++;
        if (tag == window) {
            tag = nextSerial++ * COUNT | window; // Serial 0 is none.
        }
        int closed = own + closedOffset(tag);
        if (words.intPlain(closed) == tag) {
            words.intRelease(closed, NOWHERE); // From one round of serial numbers ago.
        }
        if (tags == null) {
            tags = new int[COUNT];
        }
        tags[window] = tag;
        return (long) tag << TAG_SHIFT | offset;
    }

    @Override
    public boolean close(int window) {
        int tag = Objects.requireNonNull(tags)[window];
        words.intRelease(own + closedOffset(tag), tag);
        Words.storeLoadFence();
        return words.intAcquire(ofPeer + SegmentDescriptor.WITHIN_OFFSET) != tag;
    }

    @Override
    public boolean tryEnter(long address) {
        int tag = (int) (address >>> TAG_SHIFT);
        words.intRelease(own + SegmentDescriptor.WITHIN_OFFSET, tag);
        Words.storeLoadFence();
        if (words.intAcquire(ofPeer + closedOffset(tag)) == tag) {
            leave();
            return false;
        }
        return true;
    }

    @Override
    public void leave() {
        words.intRelease(own + SegmentDescriptor.WITHIN_OFFSET, NOWHERE);
    }
}

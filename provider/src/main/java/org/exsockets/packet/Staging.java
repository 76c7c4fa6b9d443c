package org.exsockets.packet;

/**
 * A ring of memory. Receives take pieces of it in the order of their ADVERTs, and give them back in the order in which
 * they end. Positions only grow.
 */
final class Staging {
    private static final int ALIGNMENT = 64;

    private final int size;
    private long head;
    private long tail;

    /** @param size bytes, a power of two */
    Staging(int size) {
        this.size = size;
    }

    /** {@return whether {@link #take} succeeds now} */
    boolean hasRoomFor(int length) {
        return head + padding(length) + length - tail <= size;
    }

    private int padding(int length) {
        int offset = (int) (head & size - 1);
        return offset + length > size ? size - offset : 0;
    }

    /** {@return the offset of a piece of {@code length} bytes} */
    int take(int length) {
        head += padding(length);
        int offset = (int) (head & size - 1);
        head += (length + ALIGNMENT - 1) & -ALIGNMENT;
        return offset;
    }

    /** {@return the position behind what was taken last, for {@link #free}} */
    long position() {
        return head;
    }

    /** Everything before {@code position} is free. */
    void free(long position) {
        tail = Math.max(tail, position);
    }
}

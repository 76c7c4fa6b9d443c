package org.exsockets.connection;

import java.nio.ByteBuffer;
import org.exsockets.jdk.Threads;
import org.jspecify.annotations.Nullable;

/**
 * What is to be known of the write under way: of what it is, what is behind its buffer, and what it has left. The
 * writer uses it again for the next one.
 */
final class WriteCall {
    /** What is written. */
    enum Of {
        CHANNEL,
        /** Of a stream: goes on until an error, or all is written. */
        STREAM,
        /** Of a file: an interrupt closes the file, not the connection. */
        FILE,
        /** One byte of urgent data. */
        URGENT
    }

    /** A copy of 0 bytes to it checks the source's arena and touches no memory. */
    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    Of of = Of.CHANNEL;

    /** Bytes in buffers behind the current one. */
    long behindBytes;

    /** Positions of the buffers of a gathering write before it. */
    private int[] starts = {};

    /** What the call that waits has left to write; null: none does. */
    @Nullable
    ByteBuffer rest;

    /** Bytes that the call that waits has begun with. */
    int restBytes;

    /** A part of that call has been written before those bytes. */
    boolean restBegun;

    /**
     * A gathering write begins. Memory of an arena that is closed, or another thread's, is refused before the buffers in
     * front of it are written.
     */
    void gather(ByteBuffer[] sources, int first, int end) {
        if (starts.length < end - first) {
            starts = new int[end - first];
        }
        for (int i = first; i < end; i++) {
            ByteBuffer source = sources[i];
            NOWHERE.put(0, source, source.position(), 0);
            starts[i - first] = source.position();
            behindBytes += source.remaining();
        }
    }

    /**
     * The next buffer of a gathering write begins, from its position before that: the same one may have stood before,
     * and is written again.
     *
     * @param index from the first one on
     */
    void next(ByteBuffer source, int index) {
        source.position(starts[index]);
        behindBytes -= source.remaining();
    }

    /** In a virtual thread the JDK's channels return what they have written as soon as they would have to wait. */
    boolean returnsPart() {
        return of != Of.STREAM && Threads.currentIsVirtual();
    }
}

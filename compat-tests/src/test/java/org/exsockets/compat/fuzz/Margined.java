package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.exsockets.compat.harness.TruncatedFile;

/**
 * A buffer of one kind for one call, with margins around it that nobody may touch where the kind has them. Used by one
 * thread.
 */
final class Margined {
    static final String GONE = "gone";

    private static final byte MARGIN = 0x5a;
    private static final int BEFORE = 5;
    private static final int BEHIND = 3;

    private final ByteBuffer whole;
    private final ByteBuffer buffer;
    private final int before;
    private final int start;
    private final int size;

    /** Its memory is not there: nobody can look at it. */
    private final boolean gone;

    private Margined(ByteBuffer whole, ByteBuffer buffer, int before, int start, int size) {
        this(whole, buffer, before, start, size, false);
    }

    private Margined(ByteBuffer whole, ByteBuffer buffer, int before, int start, int size, boolean gone) {
        this.gone = gone;
        this.whole = whole;
        this.buffer = buffer;
        this.before = before;
        this.start = start;
        this.size = size;
    }

    /**
     * @param kind {@code heap}, {@code direct}; {@code slice} and {@code array}: part of a larger direct or heap buffer;
     *     {@code middle}: between position and limit; {@code ro} and {@code dro}: a read-only view; {@code gone}: memory that is
     *     not there
     */
    static Margined of(String kind, int size) throws IOException {
        if (kind.equals(GONE)) {
            ByteBuffer mapped = TruncatedFile.map(0, size);
            return new Margined(mapped, mapped.duplicate(), 0, 0, size, true);
        }
        boolean margins = kind.equals("slice") || kind.equals("array") || kind.equals("middle");
        int capacity = margins ? BEFORE + size + BEHIND : size;
        boolean direct = kind.equals("direct") || kind.equals("slice") || kind.equals("dro");
        ByteBuffer whole = direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
        for (int i = 0; i < capacity; i++) {
            whole.put(i, MARGIN);
        }
        return switch (kind) {
            case "heap", "direct" -> new Margined(whole, whole.duplicate(), 0, 0, size);
            case "slice", "array" -> new Margined(whole, whole.slice(BEFORE, size), BEFORE, 0, size);
            case "middle" ->
                new Margined(whole, whole.duplicate().position(BEFORE).limit(BEFORE + size), BEFORE, BEFORE, size);
            case "ro", "dro" -> new Margined(whole, whole.asReadOnlyBuffer(), 0, 0, size);
            default -> throw new IllegalArgumentException("buffer: no such kind: " + kind);
        };
    }

    ByteBuffer buffer() {
        return buffer;
    }

    boolean gone() {
        return gone;
    }

    int size() {
        return size;
    }

    void fill(Content content, long position) {
        content.put(whole.duplicate().position(before).limit(before + size), position);
    }

    /** Returns how far a call has moved the position. */
    int moved() {
        return buffer.position() - start;
    }

    /** Adds to a check sum what a call has put into the buffer. */
    void addTo(CRC32 crc) {
        crc.update(whole.duplicate().position(before).limit(before + moved()));
    }

    /** Returns what is wrong with a buffer that was read into; empty if nothing is. */
    String damage() {
        if (buffer.limit() != start + size) {
            return " limit moved to " + buffer.limit();
        }
        if (gone) {
            return "";
        }
        for (int i = 0; i < whole.capacity(); i++) {
            boolean received = i >= before && i < before + moved();
            if (!received && whole.get(i) != MARGIN) {
                return " touched at " + (i - before);
            }
        }
        return "";
    }
}

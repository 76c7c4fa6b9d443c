package org.exsockets.compat.harness;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The endless sequence of bytes that both ends of every test connection know: the byte at a position depends on
 * the position alone, and no short period repeats, so a lost, doubled or displaced piece shows. Stateless.
 */
public final class Pattern {
    private Pattern() {}

    public static byte at(long position) {
        long mixed = (position + 1) * 0x9E3779B97F4A7C15L;
        return (byte) (mixed >>> 40);
    }

    /** Returns the {@code lengthBytes} bytes that begin at {@code position}. */
    public static byte[] bytes(long position, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        for (int i = 0; i < lengthBytes; i++) {
            bytes[i] = at(position + i);
        }
        return bytes;
    }

    /** Returns a heap buffer, ready to be written, with the bytes that begin at {@code position}. */
    public static ByteBuffer buffer(long position, int lengthBytes) {
        return ByteBuffer.wrap(bytes(position, lengthBytes));
    }

    /** Fills the rest of a buffer, whose position stays, with the bytes that begin at {@code position}. */
    public static void put(long position, ByteBuffer buffer) {
        int first = buffer.position();
        for (int i = first; i < buffer.limit(); i++) {
            buffer.put(i, at(position + i - first));
        }
    }

    /**
     * Compares the rest of a buffer, whose position stays, with the bytes that begin at {@code position}.
     *
     * @return the position of the first byte that differs, or -1
     */
    public static long firstWrong(long position, ByteBuffer received) {
        int first = received.position();
        for (int i = first; i < received.limit(); i++) {
            if (received.get(i) != at(position + i - first)) {
                return position + i - first;
            }
        }
        return -1;
    }

    /**
     * Checks bytes that were received.
     *
     * @param position where in the pattern the first of them belongs
     * @throws AssertionError at the first byte that differs
     */
    public static void check(long position, byte[] bytes, int offset, int lengthBytes) {
        for (int i = 0; i < lengthBytes; i++) {
            if (bytes[offset + i] != at(position + i)) {
                throw new AssertionError("stream: wrong byte: position=" + (position + i) + ", expected="
                        + at(position + i) + ", actual=" + bytes[offset + i]);
            }
        }
    }

    /** Checks bytes of a buffer that begin at {@code offset} in it, and leaves its position and limit alone. */
    public static void check(long position, ByteBuffer received, int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        received.get(offset, bytes);
        check(position, bytes, 0, lengthBytes);
    }

    /** Checks everything between the buffer's position and its limit, and consumes it. */
    public static void check(long position, ByteBuffer received) {
        byte[] bytes = new byte[received.remaining()];
        received.get(bytes);
        check(position, bytes, 0, bytes.length);
    }

    /** {@return a checksum of all bytes of a buffer, whatever its position and limit} */
    public static long checksum(ByteBuffer bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes.duplicate().clear());
        return checksum.getValue();
    }
}

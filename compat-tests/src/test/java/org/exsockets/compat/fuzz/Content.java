package org.exsockets.compat.fuzz;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.exsockets.compat.harness.Pattern;

/**
 * What an end of a connection sends, byte by byte: it depends on the end's name and the position alone, so that both
 * transports carry the same. Thread-safe.
 */
final class Content {
    /** Behind everything that operations with an exact length send. */
    private static final long FILLING = 1L << 40;

    private static final long APART = 1L << 24;

    private final long first;
    private long sent;
    private long received;
    private long filled;

    Content(String name) {
        first = name.hashCode() * APART;
    }

    /** Returns the position of the first of so many bytes that are to be sent. */
    synchronized long reserve(long lengthBytes) {
        sent += lengthBytes;
        return sent - lengthBytes;
    }

    /** Of what was reserved last, so many bytes were not sent. */
    synchronized void giveBack(long lengthBytes) {
        sent -= lengthBytes;
    }

    synchronized void received(long lengthBytes) {
        received += lengthBytes;
    }

    synchronized void filled(long lengthBytes) {
        filled += lengthBytes;
    }

    /** Returns a number that grows with every byte sent or received. */
    synchronized long moved() {
        return sent + received;
    }

    /** Returns how much was sent, received, and sent as filling since the last call. */
    synchronized String counts() {
        String counts = sent + " " + received + " " + filled;
        filled = 0;
        return counts;
    }

    /** Puts bytes of the stream into the rest of a buffer. */
    void put(ByteBuffer buffer, long position) {
        for (int i = buffer.position(); i < buffer.limit(); i++) {
            buffer.put(i, Pattern.at(first + position + i - buffer.position()));
        }
    }

    /** Puts filling into the rest of a buffer. */
    void putFilling(ByteBuffer buffer, long position) {
        put(buffer, FILLING + position);
    }

    /** Checks bytes of the stream of an end of that name; returns the first position that is wrong, or -1. */
    static long wrong(String name, long position, ByteBuffer received) {
        long first = name.hashCode() * APART;
        for (int i = received.position(); i < received.limit(); i++) {
            if (received.get(i) != Pattern.at(first + position + i - received.position())) {
                return position + i - received.position();
            }
        }
        return -1;
    }

    /** Checks filling of an end of that name; returns the first position that is wrong, or -1. */
    static long wrongFilling(String name, long position, ByteBuffer received) {
        long wrong = wrong(name, FILLING + position, received);
        return wrong < 0 ? -1 : wrong - FILLING;
    }

    /** Returns what tells bytes from others. */
    static String sum(CRC32 crc) {
        return Long.toHexString(crc.getValue());
    }
}

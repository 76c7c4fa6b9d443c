package org.exsockets.agent.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Class files in one entry of a jar, which is read at once. A program that has just started takes a tenth of a
 * millisecond to find, open and read an entry for each, and needs some hundred. Once memory is short, each is read
 * where it stands. Any thread.
 *
 * <pre>
 * count                       of the classes
 * hash, offset                of each; in the order of the hashes of the names (String.hashCode), which all differ
 * length, name, class file    of each, in the same order, from its offset to the next one's
 * </pre>
 *
 * Numbers are ints, big-endian; names have dots. {@code src/build/PackClasses.java} writes it.
 */
final class ClassPack {
    private static final int INDEX_ENTRY_BYTES = 2 * Integer.BYTES;

    private final ZipFile jar;
    private final ZipEntry entry;
    private final byte[] index;

    /** Two megabytes. */
    final SoftReference<byte[]> content;

    /** @throws IOException if it cannot be read */
    ClassPack(ZipFile jar, String name) throws IOException {
        this.jar = jar;
        entry = jar.getEntry(name);
        if (entry == null) {
            throw new IOException("missing in the agent's jar: " + name);
        }
        byte[] all = read(jar, entry, 0, (int) entry.getSize());
        content = new SoftReference<>(all);
        index = Arrays.copyOf(all, Integer.BYTES + number(all, 0) * INDEX_ENTRY_BYTES);
    }

    /** {@return the class file of this name; null: there is none} */
    byte[] classFile(String name) throws IOException {
        int hash = name.hashCode();
        int low = Integer.BYTES;
        int high = index.length;
        while (low < high) {
            int middle = low + (high - low) / INDEX_ENTRY_BYTES / 2 * INDEX_ENTRY_BYTES;
            int found = number(index, middle);
            if (found == hash) {
                return classFile(name, middle);
            }
            if (found < hash) {
                low = middle + INDEX_ENTRY_BYTES;
            } else {
                high = middle;
            }
        }
        return null;
    }

    private byte[] classFile(String name, int at) throws IOException {
        int next = at + INDEX_ENTRY_BYTES;
        int from = number(index, at + Integer.BYTES);
        int to = next < index.length ? number(index, next + Integer.BYTES) : (int) entry.getSize();
        byte[] all = content.get();
        byte[] part = all != null ? Arrays.copyOfRange(all, from, to) : read(jar, entry, from, to - from);
        int length = number(part, 0);
        boolean same = new String(part, Integer.BYTES, length, StandardCharsets.ISO_8859_1).equals(name);
        return same ? Arrays.copyOfRange(part, Integer.BYTES + length, part.length) : null;
    }

    /** {@return a part of an entry, or all of it; without the buffers of {@code readAllBytes}} */
    static byte[] read(ZipFile jar, ZipEntry entry, int from, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (InputStream in = jar.getInputStream(entry)) {
            in.skipNBytes(from);
            if (in.readNBytes(bytes, 0, length) < length) {
                throw new IOException("cut off: ".concat(entry.getName()));
            }
        }
        return bytes;
    }

    private static int number(byte[] bytes, int offset) {
        return (bytes[offset] & 0xff) << 24
                | (bytes[offset + 1] & 0xff) << 16
                | (bytes[offset + 2] & 0xff) << 8
                | bytes[offset + 3] & 0xff;
    }
}

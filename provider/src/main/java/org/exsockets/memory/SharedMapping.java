package org.exsockets.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.exsockets.jdk.Threads;

/**
 * A file of a memory file system, mapped whole for reading and writing.
 *
 * <p>The creator allocates every page before it maps ({@link #create}), so that a full file system is an exception
 * there and never a SIGBUS later. The file is never resized. {@link #unmap()} is for the last user; it is not
 * synchronised with anything.
 */
public final class SharedMapping {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int ZEROES_LENGTH = 256 * 1024;

    /** Written from, never into. */
    private static final OwnBuffers.Shared ZEROES = new OwnBuffers.Shared(ZEROES_LENGTH);

    private final ByteBuffer memory;

    private SharedMapping(ByteBuffer memory) {
        this.memory = memory.order(ByteOrder.nativeOrder());
    }

    /**
     * Creates a file of {@code lengthBytes} zero bytes, readable and writable by its owner only, with all its pages
     * allocated. An interrupt, which ends operations on files, has no effect but that it stays.
     *
     * @throws IOException if the file exists or the file system is full; nothing is left behind except, at worst, the
     *     partial file, which the caller deletes
     */
    public static SharedMapping create(Path file, int lengthBytes) throws IOException {
        Files.createFile(file, OWNER_ONLY);
        return uninterrupted(() -> fill(file, lengthBytes));
    }

    /** Writes to every page from the start, so that it does no harm to begin again. */
    private static SharedMapping fill(Path file, int lengthBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer zeroes = ZEROES.get().duplicate();
            for (long at = 0; at < lengthBytes; ) {
                zeroes.clear().limit((int) Math.min(ZEROES_LENGTH, lengthBytes - at));
                at += channel.write(zeroes, at);
            }
            return new SharedMapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes));
        }
    }

    /**
     * Maps a file that another process created. Symbolic links are refused. Interrupts as in {@link #create}.
     *
     * @throws IOException if the file is missing, is a link, or is not exactly {@code lengthBytes} long
     */
    public static SharedMapping open(Path file, int lengthBytes) throws IOException {
        return uninterrupted(() -> openOnce(file, lengthBytes));
    }

    @FunctionalInterface
    private interface Mapper {
        SharedMapping map() throws IOException;
    }

    private static SharedMapping uninterrupted(Mapper mapper) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return mapper.map();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Threads.restoreInterrupt();
            }
        }
    }

    private static SharedMapping openOnce(Path file, int lengthBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            if (channel.size() != lengthBytes) {
                throw new IOException("map segment: wrong size: file=" + file.getFileName() + ", size=" + channel.size()
                        + ", announced=" + lengthBytes);
            }
            return new SharedMapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes));
        }
    }

    /** {@return the whole mapping, native byte order, position 0} */
    public ByteBuffer memory() {
        return memory;
    }

    /** {@return a view of {@code lengthBytes} bytes from {@code offset}, native byte order} */
    public ByteBuffer slice(int offset, int lengthBytes) {
        return memory.slice(offset, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /** Unmaps at once where the JVM allows it. No view of this mapping may be used afterwards, by any thread. */
    public void unmap() {
        Unmapper.unmap(memory);
    }
}

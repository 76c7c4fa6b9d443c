package org.exsockets.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
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
 * <p>Every page is allocated before it is used, by the creator ({@link #create}) or, at the file's end, by who needs it
 * ({@link #allocate}), so that a full file system is an exception
 * there and never a SIGBUS later. The file is never resized. {@link #unmap()} is for the last user; it is not
 * synchronised with anything.
 */
public final class SharedMapping {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> READ_WRITE_NO_LINK =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final int ZEROES_LENGTH = 256 * 1024;

    /** Written from, never into. */
    private static final OwnBuffers.Shared ZEROES = new OwnBuffers.Shared(ZEROES_LENGTH);

    private final ByteBuffer memory;

    private SharedMapping(ByteBuffer memory) {
        this.memory = memory.order(ByteOrder.nativeOrder());
    }

    /**
     * Creates a file of {@code lengthBytes} zero bytes, readable and writable by its owner only, with the pages of the first
     * {@code allocatedBytes} allocated. An interrupt, which ends operations on files, has no effect but that it stays.
     *
     * @throws IOException if the file exists or the file system is full; nothing is left behind except, at worst, the
     *     partial file, which the caller deletes
     */
    public static SharedMapping create(Path file, int allocatedBytes, int lengthBytes) throws IOException {
        Files.createFile(file, OWNER_ONLY);
        return uninterrupted(() -> {
            try (FileChannel channel = FileChannel.open(file, READ_WRITE)) {
                fill(channel, 0, allocatedBytes);
                return new SharedMapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes));
            }
        });
    }

    /** As {@link #create(Path, int, int)}, all of it allocated. */
    public static SharedMapping create(Path file, int lengthBytes) throws IOException {
        return create(file, lengthBytes, lengthBytes);
    }

    /**
     * Allocates pages of a file that is mapped, and that nobody uses yet: they are zero afterwards. Interrupts as in {@link
     * #create}.
     *
     * @param lengthBytes of the whole file
     * @throws IOException if the file system is full, or the file is missing, is a link or is not of this length
     */
    public static void allocate(Path file, int from, int allocatedBytes, int lengthBytes) throws IOException {
        uninterrupted(() -> {
            try (FileChannel channel = openOfLength(file, lengthBytes)) {
                fill(channel, from, allocatedBytes);
                return null;
            }
        });
    }

    /** Writes to every page from the start, so that it does no harm to begin again. */
    private static void fill(FileChannel channel, long from, long bytes) throws IOException {
        ByteBuffer zeroes = ZEROES.get().duplicate();
        for (long at = from, end = from + bytes; at < end; ) {
            zeroes.clear().limit((int) Math.min(ZEROES_LENGTH, end - at));
            at += channel.write(zeroes, at);
        }
    }

    /**
     * Maps a file that another process created. Symbolic links are refused. Interrupts as in {@link #create}.
     *
     * @throws IOException if the file is missing, is a link, or is not exactly {@code lengthBytes} long
     */
    public static SharedMapping open(Path file, int lengthBytes) throws IOException {
        return uninterrupted(() -> {
            try (FileChannel channel = openOfLength(file, lengthBytes)) {
                return new SharedMapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes));
            }
        });
    }

    @FunctionalInterface
    private interface OnFile {
        SharedMapping run() throws IOException;
    }

    private static SharedMapping uninterrupted(OnFile operation) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return operation.run();
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

    private static FileChannel openOfLength(Path file, int lengthBytes) throws IOException {
        FileChannel channel = FileChannel.open(file, READ_WRITE_NO_LINK);
        try {
            if (channel.size() != lengthBytes) {
                throw new IOException("map segment: wrong size: file=" + file.getFileName() + ", size=" + channel.size()
                        + ", announced=" + lengthBytes);
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
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

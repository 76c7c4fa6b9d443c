package org.exsockets.agent.programs;

import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Uses large direct buffers and prints what it sees, which is the same wherever they lie; then, with the argument
 * {@code where}, where they lie.
 */
public final class LargeBuffers {
    private static final int MIB = 1 << 20;

    /** A tenth is left to the collector: that is more than the limit of 64 MiB. */
    private static final int BUFFERS = 3_000;

    private LargeBuffers() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "ordinary" -> ordinary();
            case "many" -> many();
            case "limit" -> limit();
            default -> where();
        }
    }

    private static void ordinary() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(3 * MIB + 5);
        System.out.println(buffer + " " + buffer.isDirect() + " " + buffer.order() + " " + buffer.isReadOnly());
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(bytes);
        System.out.println("zero " + Arrays.equals(bytes, new byte[bytes.length]));
        new Random(1).nextBytes(bytes);
        buffer.clear().put(bytes).flip();
        System.out.println("kept " + buffer.equals(ByteBuffer.wrap(bytes)));
        ByteBuffer slice = buffer.slice(MIB + 3, MIB);
        System.out.println(slice + " " + slice.isDirect() + " " + slice.equals(ByteBuffer.wrap(bytes, MIB + 3, MIB)));
        System.out.println(buffer.duplicate().equals(buffer) + " " + buffer.asReadOnlyBuffer());
        System.out.println(slice.alignmentOffset(0, 8) >= 0);
        // Native code of the JDK gets the address by JNI or from the buffer itself.
        Path file = Files.createTempFile("large", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            System.out.println("written " + channel.write(buffer.duplicate()));
            ByteBuffer back = ByteBuffer.allocateDirect(bytes.length);
            System.out.println(
                    "read " + channel.read(back, 0) + " " + back.flip().equals(buffer));
        } finally {
            Files.delete(file);
        }
        counted();
    }

    private static void counted() throws Exception {
        long bytes = pool().getMemoryUsed();
        long count = pool().getCount();
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * MIB);
        System.out.println("counted " + (pool().getMemoryUsed() - bytes) + " " + (pool().getCount() - count));
        ByteBuffer slice = buffer.slice(0, 10);
        System.out.println("refused " + refusesToFree(slice));
        DirectBuffers.invokeCleaner(buffer);
        System.out.println("freed " + (pool().getMemoryUsed() - bytes) + " " + (pool().getCount() - count));
        // Once is enough, but twice does no harm.
        DirectBuffers.invokeCleaner(buffer);
        System.out.println("freed " + (pool().getMemoryUsed() - bytes) + " " + (pool().getCount() - count));
        allocateAndForget();
        while (pool().getMemoryUsed() > bytes) {
            System.gc();
        }
        System.out.println("collected " + (pool().getCount() <= count));
    }

    private static void allocateAndForget() {
        for (int i = 0; i < 10; i++) {
            ByteBuffer.allocateDirect(MIB).put(MIB - 1, (byte) 1);
        }
    }

    /** More than there is memory for, unless it is given back, partly by the collector. */
    private static void many() throws Exception {
        // What places buffers takes a few bytes of its own at first, and keeps them.
        DirectBuffers.invokeCleaner(ByteBuffer.allocateDirect(MIB));
        long used = pool().getMemoryUsed();
        for (int i = 1; i < BUFFERS; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10 + i % 4);
            if (buffer.get(i) != 0) {
                throw new AssertionError("not zero: " + i);
            }
            buffer.put(i, (byte) 1);
            if (i % 10 != 0) {
                DirectBuffers.invokeCleaner(buffer);
            }
        }
        while (pool().getMemoryUsed() > used) {
            System.gc();
        }
        System.out.println("all freed");
    }

    /** To be run with -XX:MaxDirectMemorySize=17m. */
    private static void limit() throws Exception {
        List<ByteBuffer> kept = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                kept.add(ByteBuffer.allocateDirect(2 * MIB));
            }
        } catch (OutOfMemoryError e) {
            System.out.println(kept.size() + " fit");
        }
        for (ByteBuffer each : kept) {
            DirectBuffers.invokeCleaner(each);
        }
        ByteBuffer.allocateDirect(14 * MIB);
        System.out.println("fits again");
    }

    private static void where() throws Exception {
        ByteBuffer large = ByteBuffer.allocateDirect(MIB).put(0, "a large buffer".getBytes(StandardCharsets.US_ASCII));
        ByteBuffer small = ByteBuffer.allocateDirect(1000).put(0, "a small buffer".getBytes(StandardCharsets.US_ASCII));
        System.out.println(
                own().size() + " arena, large: " + shared("a large buffer") + ", small: " + shared("a small buffer"));
        DirectBuffers.invokeCleaner(large);
        System.out.println("freed: " + shared("a large buffer"));
        ByteBuffer view = ByteBuffer.allocateDirect(MIB).slice(MIB / 2, 100);
        view.put(0, "a large buffer".getBytes(StandardCharsets.US_ASCII));
        System.gc();
        System.out.println("kept by a view: " + shared("a large buffer") + view.get(0) + small.get(0));
        view = null;
        while (shared("a large buffer")) {
            System.gc();
        }
        System.out.println("collected");
    }

    private static boolean shared(String text) throws IOException {
        for (Path each : own()) {
            // Sparse, and read whole: as Latin-1, a byte is a character.
            try (FileChannel channel = FileChannel.open(each)) {
                ByteBuffer part = ByteBuffer.allocate((int) Math.min(channel.size(), 8 * MIB));
                channel.read(part, 0);
                if (new String(part.array(), StandardCharsets.ISO_8859_1).contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Descriptors of shared memory that has no name, but for what tells of the process, which is short. */
    private static List<Path> own() throws IOException {
        List<Path> own = new ArrayList<>();
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            Path each = descriptor.toPath();
            try {
                if (Files.readSymbolicLink(each).toString().startsWith("/memfd:exs") && Files.size(each) > MIB) {
                    own.add(each);
                }
            } catch (NoSuchFileException closedMeanwhile) {
                continue;
            }
        }
        return own;
    }

    private static String refusesToFree(ByteBuffer slice) throws ReflectiveOperationException {
        try {
            DirectBuffers.invokeCleaner(slice);
            return "no";
        } catch (java.lang.reflect.InvocationTargetException e) {
            return e.getCause().getMessage();
        }
    }

    private static BufferPoolMXBean pool() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(each -> each.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
    }
}

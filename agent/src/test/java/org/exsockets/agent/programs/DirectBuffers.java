package org.exsockets.agent.programs;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Frees a direct buffer explicitly, leaves another one and a mapped file to the collector. */
public final class DirectBuffers {
    private static final int MIB = 1 << 20;

    private DirectBuffers() {}

    public static void main(String[] arguments) throws Exception {
        long before = used("direct");
        invokeCleaner(ByteBuffer.allocateDirect(MIB + 1));
        if (used("direct") != before) {
            throw new AssertionError("still counted: " + used("direct"));
        }
        allocateAndForget();
        collectUntil("direct", before);
        mapAndForget();
        collectUntil("mapped", 0);
        System.out.println("as if nothing had happened");
    }

    private static void allocateAndForget() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * MIB);
        if (buffer.getLong(MIB) != 0 || buffer.putInt(MIB, 42).getInt(MIB) != 42) {
            throw new AssertionError("not an ordinary buffer");
        }
    }

    private static void mapAndForget() throws IOException {
        Path file = Files.createTempFile("mapped", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 3L * MIB).put(2 * MIB, (byte) 1);
        } finally {
            Files.delete(file);
        }
    }

    static void invokeCleaner(ByteBuffer buffer) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), buffer);
    }

    private static void collectUntil(String pool, long bytes) {
        while (used(pool) > bytes) {
            System.gc();
        }
    }

    private static long used(String pool) {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(each -> each.getName().equals(pool))
                .findFirst()
                .orElseThrow()
                .getMemoryUsed();
    }
}

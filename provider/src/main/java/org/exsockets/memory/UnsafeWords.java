package org.exsockets.memory;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;

/**
 * By the JDK's own Unsafe, with the checks that keep a JVM alive: direct memory, within the limit. Reads with acquire are volatile ones,
 * which is the same to the processor, and one method less before it is compiled. The build compiles this class apart, as {@code javac
 * --release} hides that package; it is loaded by name.
 */
final class UnsafeWords extends WordAccess {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, "address");

    private static long address(ByteBuffer memory, int offset, int bytes) {
        if ((offset | memory.limit() - bytes - offset) < 0 || !memory.isDirect()) {
            throw refused(memory, offset);
        }
        long address = UNSAFE.getLong(memory, ADDRESS) + offset;
        assert (address & bytes - 1) == 0 : refused(memory, offset);
        return address;
    }

    private static RuntimeException refused(ByteBuffer memory, int offset) {
        return new IndexOutOfBoundsException(
                "word: not within direct memory, or not aligned: offset=" + offset + ", memory=" + memory);
    }

    @Override
    int intVolatile(ByteBuffer memory, int offset) {
        int value = UNSAFE.getIntVolatile(null, address(memory, offset, Integer.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    int intAcquire(ByteBuffer memory, int offset) {
        int value = UNSAFE.getIntVolatile(null, address(memory, offset, Integer.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    void intVolatile(ByteBuffer memory, int offset, int value) {
        UNSAFE.putIntVolatile(null, address(memory, offset, Integer.BYTES), value);
        Reference.reachabilityFence(memory);
    }

    @Override
    void intRelease(ByteBuffer memory, int offset, int value) {
        UNSAFE.putIntRelease(null, address(memory, offset, Integer.BYTES), value);
        Reference.reachabilityFence(memory);
    }

    @Override
    int intPlain(ByteBuffer memory, int offset) {
        int value = UNSAFE.getInt(null, address(memory, offset, Integer.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    void intPlain(ByteBuffer memory, int offset, int value) {
        UNSAFE.putInt(null, address(memory, offset, Integer.BYTES), value);
        Reference.reachabilityFence(memory);
    }

    @Override
    int intCompareAndExchange(ByteBuffer memory, int offset, int expected, int value) {
        int was = UNSAFE.compareAndExchangeInt(null, address(memory, offset, Integer.BYTES), expected, value);
        Reference.reachabilityFence(memory);
        return was;
    }

    @Override
    long longVolatile(ByteBuffer memory, int offset) {
        long value = UNSAFE.getLongVolatile(null, address(memory, offset, Long.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    long longAcquire(ByteBuffer memory, int offset) {
        long value = UNSAFE.getLongVolatile(null, address(memory, offset, Long.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    void longVolatile(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongVolatile(null, address(memory, offset, Long.BYTES), value);
        Reference.reachabilityFence(memory);
    }

    @Override
    void longRelease(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLongRelease(null, address(memory, offset, Long.BYTES), value);
        Reference.reachabilityFence(memory);
    }

    @Override
    long longPlain(ByteBuffer memory, int offset) {
        long value = UNSAFE.getLong(null, address(memory, offset, Long.BYTES));
        Reference.reachabilityFence(memory);
        return value;
    }

    @Override
    void longPlain(ByteBuffer memory, int offset, long value) {
        UNSAFE.putLong(null, address(memory, offset, Long.BYTES), value);
        Reference.reachabilityFence(memory);
    }
}

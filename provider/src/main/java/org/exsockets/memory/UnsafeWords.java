package org.exsockets.memory;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import jdk.internal.misc.Unsafe;
import org.exsockets.jdk.InsideJdk;

/**
 * By the JDK's own Unsafe, with the check that keeps a JVM alive: within the limit. Reads with acquire are volatile
 * ones, which is the same to the processor, and one method less before it is compiled. The build compiles this class
 * apart, as {@code javac --release} hides that package; it is loaded by name.
 */
final class UnsafeWords extends Words {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, InsideJdk.BUFFER_ADDRESS.member(0));

    static {
        // A method that this JDK does not have is missed here, where it does no harm.
        long[] words = new long[1];
        long offset = Unsafe.ARRAY_LONG_BASE_OFFSET;
        UNSAFE.putInt(words, offset, UNSAFE.getInt(words, offset));
        UNSAFE.putIntRelease(words, offset, UNSAFE.getIntVolatile(words, offset));
        UNSAFE.compareAndExchangeInt(words, offset, 0, 0);
        UNSAFE.putLong(words, offset, UNSAFE.getLong(words, offset));
        UNSAFE.putLongRelease(words, offset, UNSAFE.getLongVolatile(words, offset));
    }

    private final long address;

    /** The last offsets of words of four and of eight bytes. */
    private final int lastInt;

    private final int lastLong;

    /** Of no memory; fails where the JDK's package is closed. Without arguments: JVMs make classes for calls with some. */
    UnsafeWords() {
        this(ByteBuffer.allocate(0));
    }

    private UnsafeWords(ByteBuffer memory) {
        super(memory);
        address = UNSAFE.getLong(memory, ADDRESS);
        lastInt = memory.limit() - Integer.BYTES;
        lastLong = memory.limit() - Long.BYTES;
    }

    @Override
    Words over(ByteBuffer other) {
        return new UnsafeWords(other);
    }

    private RuntimeException outside(int offset) {
        return new IndexOutOfBoundsException("word: outside of its memory: offset=" + offset + ", memory=" + memory());
    }

    @Override
    public int intAcquire(int offset) {
        if ((offset | lastInt - offset) < 0) {
            throw outside(offset);
        }
        int value = UNSAFE.getIntVolatile(null, address + offset);
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public int intPlain(int offset) {
        if ((offset | lastInt - offset) < 0) {
            throw outside(offset);
        }
        int value = UNSAFE.getInt(null, address + offset);
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void intRelease(int offset, int value) {
        if ((offset | lastInt - offset) < 0) {
            throw outside(offset);
        }
        UNSAFE.putIntRelease(null, address + offset, value);
        Reference.reachabilityFence(this);
    }

    @Override
    public void intPlain(int offset, int value) {
        if ((offset | lastInt - offset) < 0) {
            throw outside(offset);
        }
        UNSAFE.putInt(null, address + offset, value);
        Reference.reachabilityFence(this);
    }

    @Override
    public int intCompareAndExchange(int offset, int expected, int value) {
        if ((offset | lastInt - offset) < 0) {
            throw outside(offset);
        }
        int was = UNSAFE.compareAndExchangeInt(null, address + offset, expected, value);
        Reference.reachabilityFence(this);
        return was;
    }

    @Override
    public long longAcquire(int offset) {
        if ((offset | lastLong - offset) < 0) {
            throw outside(offset);
        }
        long value = UNSAFE.getLongVolatile(null, address + offset);
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public long longPlain(int offset) {
        if ((offset | lastLong - offset) < 0) {
            throw outside(offset);
        }
        long value = UNSAFE.getLong(null, address + offset);
        Reference.reachabilityFence(this);
        return value;
    }

    @Override
    public void longRelease(int offset, long value) {
        if ((offset | lastLong - offset) < 0) {
            throw outside(offset);
        }
        UNSAFE.putLongRelease(null, address + offset, value);
        Reference.reachabilityFence(this);
    }

    @Override
    public void longPlain(int offset, long value) {
        if ((offset | lastLong - offset) < 0) {
            throw outside(offset);
        }
        UNSAFE.putLong(null, address + offset, value);
        Reference.reachabilityFence(this);
    }
}

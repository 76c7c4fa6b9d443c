package org.exsockets.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** By VarHandles of the JDK, which check everything: used where nothing else works. */
final class HandleWords extends Words {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private final ByteBuffer memory;

    /** {@return those of no memory} As {@link Words}, so that it is loaded only if it is used. */
    static Words first() {
        return new HandleWords(ByteBuffer.allocate(0));
    }

    HandleWords(ByteBuffer memory) {
        super(memory);
        this.memory = memory.duplicate(); // With the limit that it has now.
    }

    @Override
    Words over(ByteBuffer other) {
        return new HandleWords(other);
    }

    @Override
    public int intAcquire(int offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    @Override
    public int intPlain(int offset) {
        return (int) INT.get(memory, offset);
    }

    @Override
    public void intRelease(int offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    @Override
    public void intPlain(int offset, int value) {
        INT.set(memory, offset, value);
    }

    @Override
    public int intCompareAndExchange(int offset, int expected, int value) {
        return (int) INT.compareAndExchange(memory, offset, expected, value);
    }

    @Override
    public long longAcquire(int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    @Override
    public long longPlain(int offset) {
        return (long) LONG.get(memory, offset);
    }

    @Override
    public void longRelease(int offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    @Override
    public void longPlain(int offset, long value) {
        LONG.set(memory, offset, value);
    }
}

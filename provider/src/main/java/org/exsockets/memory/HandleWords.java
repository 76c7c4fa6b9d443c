package org.exsockets.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** By VarHandles of the JDK, which check everything. */
final class HandleWords extends WordAccess {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    @Override
    int intVolatile(ByteBuffer memory, int offset) {
        return (int) INT.getVolatile(memory, offset);
    }

    @Override
    int intAcquire(ByteBuffer memory, int offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    @Override
    void intVolatile(ByteBuffer memory, int offset, int value) {
        INT.setVolatile(memory, offset, value);
    }

    @Override
    void intRelease(ByteBuffer memory, int offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    @Override
    int intPlain(ByteBuffer memory, int offset) {
        return (int) INT.get(memory, offset);
    }

    @Override
    void intPlain(ByteBuffer memory, int offset, int value) {
        INT.set(memory, offset, value);
    }

    @Override
    int intCompareAndExchange(ByteBuffer memory, int offset, int expected, int value) {
        return (int) INT.compareAndExchange(memory, offset, expected, value);
    }

    @Override
    long longVolatile(ByteBuffer memory, int offset) {
        return (long) LONG.getVolatile(memory, offset);
    }

    @Override
    long longAcquire(ByteBuffer memory, int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    @Override
    void longVolatile(ByteBuffer memory, int offset, long value) {
        LONG.setVolatile(memory, offset, value);
    }

    @Override
    void longRelease(ByteBuffer memory, int offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    @Override
    long longPlain(ByteBuffer memory, int offset) {
        return (long) LONG.get(memory, offset);
    }

    @Override
    void longPlain(ByteBuffer memory, int offset, long value) {
        LONG.set(memory, offset, value);
    }
}

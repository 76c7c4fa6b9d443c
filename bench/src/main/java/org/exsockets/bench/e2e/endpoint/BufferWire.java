package org.exsockets.bench.e2e.endpoint;

import java.nio.ByteBuffer;

/** A wire whose buffer is a {@link ByteBuffer}. */
abstract class BufferWire implements Wire {
    final ByteBuffer buffer;

    BufferWire(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public final void put(int index, byte value) {
        buffer.put(index, value);
    }

    @Override
    public final byte at(int index) {
        return buffer.get(index);
    }
}

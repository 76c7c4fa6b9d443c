package org.exsockets.jdk;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import jdk.internal.misc.Unsafe;

/** By the JDK's own Unsafe. The build compiles this class apart, as {@code javac --release} hides that package; it is loaded by name. */
final class UnsafeBufferInside extends BufferInside {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long FILE = UNSAFE.objectFieldOffset(MappedByteBuffer.class, "fd");
    private static final long SEGMENT = UNSAFE.objectFieldOffset(Buffer.class, "segment");

    @Override
    public boolean isMapped(ByteBuffer direct) {
        // All direct buffers of the JDK are of this class; memory that no file is mapped to has no descriptor.
        return direct instanceof MappedByteBuffer && UNSAFE.getReference(direct, FILE) != null;
    }

    @Override
    public boolean isOfArena(ByteBuffer buffer) {
        return UNSAFE.getReference(buffer, SEGMENT) != null;
    }
}

package org.exsockets.jdk;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import jdk.internal.misc.Unsafe;

/**
 * Reads by the JDK's own Unsafe. The build compiles this class apart, as {@code javac --release} hides that package; it
 * is loaded by name.
 */
final class UnsafeBufferInside extends BufferInside {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long FILE = UNSAFE.objectFieldOffset(MappedByteBuffer.class, InsideJdk.MAPPED_FILE.member(0));
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, InsideJdk.BUFFER_ADDRESS.member(0));
    private static final long ARRAY = UNSAFE.objectFieldOffset(ByteBuffer.class, InsideJdk.BUFFER_ARRAY.member(0));
    private static final long SEGMENT = UNSAFE.objectFieldOffset(Buffer.class, InsideJdk.BUFFER_ARENA.member(0));

    static {
        // A method that this JDK does not have is missed here, where it does no harm.
        ByteBuffer none = ByteBuffer.allocate(0);
        Object array = UNSAFE.getReference(none, ARRAY);
        long address = UNSAFE.getLong(none, ADDRESS);
        UNSAFE.copyMemory(array, address, array, address, 0);
    }

    @Override
    public boolean isMapped(ByteBuffer direct) {
        // All direct buffers of the JDK are of this class; memory that no file is mapped to has no descriptor.
        return direct instanceof MappedByteBuffer && UNSAFE.getReference(direct, FILE) != null;
    }

    @Override
    public boolean copy(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        if ((at | offset | length | target.limit() - length - at | source.limit() - length - offset) < 0
                || target.isReadOnly()
                || UNSAFE.getReference(target, SEGMENT) != null
                || UNSAFE.getReference(source, SEGMENT) != null) {
            return false;
        }
        // Of a buffer on the heap the address is an offset in its array.
        UNSAFE.copyMemory(
                UNSAFE.getReference(source, ARRAY),
                UNSAFE.getLong(source, ADDRESS) + offset,
                UNSAFE.getReference(target, ARRAY),
                UNSAFE.getLong(target, ADDRESS) + at,
                length);
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
        return true;
    }

    @Override
    public boolean isOfArena(ByteBuffer buffer) {
        return UNSAFE.getReference(buffer, SEGMENT) != null;
    }
}

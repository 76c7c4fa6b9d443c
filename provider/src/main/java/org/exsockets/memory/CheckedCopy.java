package org.exsockets.memory;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.Objects;
import org.exsockets.jdk.BufferInside;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.exsockets.jdk.InsideJdk;
import org.jspecify.annotations.Nullable;

/**
 * Copies between memory that stays and a buffer of the program: the one place where that can fail. If it is mapped to a
 * file that has been truncated, a copy throws {@link FailedMemory} at once, before anything follows from it.
 *
 * <p>The JDK's copy between buffers does not: compiled code goes on as if the bytes had been copied, and throws some
 * time later, in the middle of something else. So the kernel copies mapped memory (process_vm_readv(2) on the own
 * process), and returns how much it has copied. Without the native library, or if the kernel refuses, the JDK copies.
 */
public final class CheckedCopy {
    private static final int FIRST_WITH_SEGMENTS = 22;

    /** Null: the JDK's package is closed. */
    private static final @Nullable BufferInside INSIDE = BufferInside.open();

    /** EFAULT. */
    private static final int BAD_ADDRESS = 14;

    private CheckedCopy() {}

    /** Used without {@link BufferInside}. Made at the first direct buffer: making method handles takes milliseconds. */
    private static final class Mapped {
        /** {@code (ByteBuffer) boolean}: whether the memory of a direct buffer is mapped to a file. Null: unknown. */
        static final @Nullable MethodHandle IS_MAPPED = findIsMapped();

        private static @Nullable MethodHandle findIsMapped() {
            try {
                // Later JDKs warn of Unsafe, earlier ones do not have MemorySegment.
                return Runtime.version().feature() < FIRST_WITH_SEGMENTS ? byUnsafe() : bySegment();
            } catch (Throwable e) {
                return null;
            }
        }

        private static MethodHandle byUnsafe() throws Throwable {
            InsideJdk inside = InsideJdk.SUPPORTED_UNSAFE;
            Class<?> type = inside.get();
            Field instance = type.getDeclaredField(inside.member(0));
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            long offset =
                    (long) lookup.findVirtual(type, inside.member(2), MethodType.methodType(long.class, Field.class))
                            .invoke(unsafe, MappedByteBuffer.class.getDeclaredField(InsideJdk.MAPPED_FILE.member(0)));
            MethodHandle get = lookup.findVirtual(
                            type, inside.member(3), MethodType.methodType(Object.class, Object.class, long.class))
                    .bindTo(unsafe);
            MethodHandle file = MethodHandles.insertArguments(get, 1, offset)
                    .asType(MethodType.methodType(Object.class, ByteBuffer.class));
            MethodHandle nonNull = MethodHandles.publicLookup()
                    .findStatic(Objects.class, "nonNull", MethodType.methodType(boolean.class, Object.class));
            return MethodHandles.filterReturnValue(file, nonNull);
        }

        private static MethodHandle bySegment() throws ReflectiveOperationException {
            Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle of = lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
            MethodHandle isMapped = lookup.findVirtual(segment, "isMapped", MethodType.methodType(boolean.class));
            return MethodHandles.filterReturnValue(of, isMapped)
                    .asType(MethodType.methodType(boolean.class, ByteBuffer.class));
        }
    }

    /**
     * Copies bytes to or from the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws FailedMemory if the file has no such bytes any more
     */
    public static void copy(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        boolean mapped = source.isDirect() && target.isDirect() && (isMapped(source) || isMapped(target));
        if (mapped && DescriptorPoll.isLoaded() && copiedByKernel(target, at, source, offset, length)) {
            return;
        }
        try {
            if (INSIDE == null || !INSIDE.copy(target, at, source, offset, length)) {
                target.put(at, source, offset, length);
            }
        } catch (InternalError fault) {
            if (mapped) {
                throw new FailedMemory(fault);
            }
            throw fault;
        }
    }

    /** {@return false if the kernel refuses, such as in a sandbox} */
    private static boolean copiedByKernel(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        Objects.checkFromIndexSize(at, length, target.limit());
        Objects.checkFromIndexSize(offset, length, source.limit());
        long from = Futex.address(source) + offset;
        long to = Futex.address(target) + at;
        int copied = isMapped(source) ? read(from, to, length) : write(from, to, length);
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
        if (copied != length && (copied >= 0 || copied == -BAD_ADDRESS)) {
            throw new FailedMemory(null);
        }
        return copied == length;
    }

    private static boolean isMapped(ByteBuffer direct) {
        if (INSIDE != null) {
            return INSIDE.isMapped(direct);
        }
        MethodHandle known = Mapped.IS_MAPPED;
        try {
            return known != null && (boolean) known.invokeExact(direct);
        } catch (RuntimeException | Error e) {
            throw e; // For instance of a closed arena.
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * {@return whether bytes of {@code buffer} cannot be read} It touches every page.
     *
     * @param offset of the first byte, absolute
     */
    public static boolean fails(ByteBuffer buffer, int offset, int length) {
        ByteBuffer target = ByteBuffer.allocateDirect(1);
        int end = offset + length;
        try {
            for (int i = offset; i < end; i += 4096) { // The smallest pages.
                copy(target, 0, buffer, i, 1);
            }
            if (length > 0) {
                copy(target, 0, buffer, end - 1, 1);
            }
            return false;
        } catch (RuntimeException fault) {
            return true;
        }
    }

    /** {@return the exception in the event of a transfer that threw {@code fault}; null: the memory has not failed} */
    public static @Nullable IOException told(Throwable fault, ByteBuffer buffer, int offset, int length) {
        if (!fails(buffer, offset, length)) {
            return null;
        }
        return fault instanceof RuntimeException && !(fault instanceof FailedMemory)
                ? new IOException("memory of the operation cannot be used: " + fault.getMessage(), fault)
                : FailedMemory.badAddress();
    }

    /** Copies {@code length} bytes from {@code checked}, which may be missing. {@return bytes copied, or −errno} */
    private static native int read(long checked, long to, int length);

    /** As {@link #read}, to {@code checked}. */
    private static native int write(long from, long checked, int length);
}

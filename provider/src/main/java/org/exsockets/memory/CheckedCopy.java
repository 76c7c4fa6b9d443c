package org.exsockets.memory;

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
 * Copies between memory that stays and a buffer of the program. If that is mapped to a file that has been truncated, a
 * copy throws an {@link InternalError} at once, before anything follows from it.
 *
 * <p>The JDK's copy between buffers does not: compiled code goes on as if the bytes had been copied, and throws some
 * time later, in the middle of something else. So the kernel copies mapped memory (process_vm_readv(2) on the own
 * process), and returns how much it has copied. Without the native library, or if the kernel refuses, the JDK copies.
 */
public final class CheckedCopy {
    private static final int FIRST_WITH_SEGMENTS = 22;

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
     * Copies bytes of the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws InternalError if the file does not have them any more
     */
    public static void fromProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        copy(target, at, source, offset, length, source, target);
    }

    /**
     * Copies bytes to the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws InternalError if the file has no room for them any more
     */
    public static void toProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        copy(target, at, source, offset, length, target, source);
    }

    /** @param programs the one of the two buffers that is the program's; {@code ours} is the other */
    private static void copy(
            ByteBuffer target,
            int at,
            ByteBuffer source,
            int offset,
            int length,
            ByteBuffer programs,
            ByteBuffer ours) {
        BufferInside inside = BufferInside.open();
        if (programs.isDirect() && ours.isDirect() && isMapped(inside, programs)) {
            Objects.checkFromIndexSize(at, length, target.limit());
            Objects.checkFromIndexSize(offset, length, source.limit());
            long from = Futex.address(source) + offset;
            long to = Futex.address(target) + at;
            int copied = programs == source ? read(from, to, length) : write(from, to, length);
            Reference.reachabilityFence(source);
            Reference.reachabilityFence(target);
            if (copied == length) {
                return;
            }
            if (copied >= 0 || copied == -BAD_ADDRESS) {
                throw new InternalError("memory of a mapped file is not there");
            }
            // Such as EPERM, in a sandbox.
        }
        if (inside == null || !inside.copy(target, at, source, offset, length)) {
            target.put(at, source, offset, length);
        }
    }

    /** @param inside null: it cannot be asked */
    private static boolean isMapped(@Nullable BufferInside inside, ByteBuffer direct) {
        if (inside != null) {
            return inside.isMapped(direct) && DescriptorPoll.isLoaded();
        }
        MethodHandle known = Mapped.IS_MAPPED;
        try {
            return known != null && (boolean) known.invokeExact(direct) && DescriptorPoll.isLoaded();
        } catch (RuntimeException | Error e) {
            throw e; // For instance of a closed arena.
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Copies {@code length} bytes from {@code checked}, which may be missing. {@return bytes copied, or −errno} */
    private static native int read(long checked, long to, int length);

    /** As {@link #read}, to {@code checked}. */
    private static native int write(long from, long checked, int length);
}

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

/**
 * Copies between memory that stays and a buffer of the program, which may be a part of a file that somebody truncates: then
 * they throw an {@link InternalError} at once, before anything follows from the copy.
 *
 * <p>A copy between buffers does not do that: compiled code goes on as if it had been made, and throws some time later, in the
 * middle of something else. So the kernel copies what a file is mapped to (process_vm_readv(2) on the own process), and says how
 * far it has come. Without the native library, or where the kernel does not let it, such copies are the JDK's.
 */
public final class CheckedCopy {
    private static final int FIRST_WITH_SEGMENTS = 22;

    /** EFAULT. */
    private static final int BAD_ADDRESS = 14;

    private CheckedCopy() {}

    /** Where {@link BufferInside} does not tell. Found with the first direct buffer: to make method handles takes milliseconds. */
    private static final class Mapped {
        /** {@code (ByteBuffer) boolean}: whether a direct buffer is mapped to a file, or a part of such a one. Null: nobody knows. */
        static final MethodHandle IS_MAPPED = findIsMapped();

        private static MethodHandle findIsMapped() {
            try {
                // Later JDKs warn of the one, earlier ones do not have the other.
                return Runtime.version().feature() < FIRST_WITH_SEGMENTS ? byUnsafe() : bySegment();
            } catch (Throwable e) {
                return null;
            }
        }

        private static MethodHandle byUnsafe() throws Throwable {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            long offset =
                    (long) lookup.findVirtual(type, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                            .invoke(unsafe, MappedByteBuffer.class.getDeclaredField("fd"));
            MethodHandle get = lookup.findVirtual(
                            type, "getObject", MethodType.methodType(Object.class, Object.class, long.class))
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
     * @throws InternalError if they are not there
     */
    public static void fromProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        copy(target, at, source, offset, length, source, target);
    }

    /**
     * Copies bytes to the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws InternalError if there is no room for them
     */
    public static void toProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        copy(target, at, source, offset, length, target, source);
    }

    /** @param programs whichever of the two buffers is the program's, {@code ours} the other */
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
    private static boolean isMapped(BufferInside inside, ByteBuffer direct) {
        if (inside != null) {
            return inside.isMapped(direct) && DescriptorPoll.isLoaded();
        }
        MethodHandle known = Mapped.IS_MAPPED;
        try {
            return known != null && (boolean) known.invokeExact(direct) && DescriptorPoll.isLoaded();
        } catch (RuntimeException | Error e) {
            throw e; // As of an arena that is closed.
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Copies {@code length} bytes from {@code checked}, which need not be there.
     *
     * @return bytes copied, or a negative error number
     */
    private static native int read(long checked, long to, int length);

    /** As {@link #read}, to {@code checked}. */
    private static native int write(long from, long checked, int length);
}

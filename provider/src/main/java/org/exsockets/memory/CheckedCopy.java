package org.exsockets.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.Objects;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;

/**
 * Copies between memory that stays and a buffer of the program, which may be a part of a file that somebody truncates: then
 * they throw an {@link InternalError} at once, before anything follows from the copy.
 *
 * <p>From JDK 21 on that is what a copy between buffers does. Before, compiled code goes on as if it had been copied, and throws
 * some time later. There the kernel copies what a file is mapped to (process_vm_readv(2) on the own process), and says how
 * far it has come. Without the native library, or where the kernel does not let it, such copies are the JDK's.
 */
public final class CheckedCopy {
    private static final boolean TOLD_LATE = Runtime.version().feature() < 21;

    /** Of a buffer that a file is mapped to, or a part of it: gives the file. Null where buffers are not asked. */
    private static final MethodHandle FILE = TOLD_LATE ? file() : null;

    /** EFAULT. */
    private static final int BAD_ADDRESS = 14;

    private CheckedCopy() {}

    /** By sun.misc.Unsafe, which needs no package of the JDK to be open. */
    private static MethodHandle file() {
        try {
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
            return MethodHandles.insertArguments(get, 1, offset)
                    .asType(MethodType.methodType(Object.class, ByteBuffer.class));
        } catch (Throwable e) {
            return null; // There is no such class, or no such field.
        }
    }

    /**
     * Copies bytes of the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws InternalError if they are not there
     */
    public static void fromProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        if (FILE == null || !target.isDirect() || !isMapped(source)) {
            target.put(at, source, offset, length);
            return;
        }
        Objects.checkFromIndexSize(at, length, target.limit());
        Objects.checkFromIndexSize(offset, length, source.limit());
        int copied = read(Futex.address(source) + offset, Futex.address(target) + at, length);
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
        if (copied != length) {
            failed(copied, () -> target.put(at, source, offset, length));
        }
    }

    /**
     * Copies bytes to the program, as {@link ByteBuffer#put(int, ByteBuffer, int, int)}.
     *
     * @throws InternalError if there is no room for them
     */
    public static void toProgram(ByteBuffer target, int at, ByteBuffer source, int offset, int length) {
        if (FILE == null || !source.isDirect() || !isMapped(target)) {
            target.put(at, source, offset, length);
            return;
        }
        Objects.checkFromIndexSize(at, length, target.limit());
        Objects.checkFromIndexSize(offset, length, source.limit());
        int copied = write(Futex.address(source) + offset, Futex.address(target) + at, length);
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
        if (copied != length) {
            failed(copied, () -> target.put(at, source, offset, length));
        }
    }

    private static boolean isMapped(ByteBuffer buffer) {
        try {
            return buffer.isDirect() && (Object) FILE.invokeExact(buffer) != null && DescriptorPoll.isLoaded();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void failed(int copied, Runnable otherwise) {
        if (copied >= 0 || copied == -BAD_ADDRESS) {
            throw new InternalError("memory of a mapped file is not there");
        }
        otherwise.run(); // Such as EPERM, in a sandbox.
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

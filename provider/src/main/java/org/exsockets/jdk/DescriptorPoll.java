package org.exsockets.jdk;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SelectableChannel;
import java.nio.file.Path;

/**
 * poll(2) for a channel of the JDK's own: one system call, where a selector needs to be told of the channel first and
 * to forget it afterwards. The library is unpacked and loaded when it is first asked for, once per JVM.
 *
 * <p>It needs {@code java.base/sun.nio.ch} open or exported to this module, which the agent sees to, and the native library; without
 * either {@link #descriptor} says no, and callers use a selector.
 *
 * <p>A descriptor's owner keeps it open for as long as somebody polls: the kernel gives its number to the next file.
 */
public final class DescriptorPoll {
    /** {@link #descriptor}: cannot be polled. */
    public static final int NONE = -1;

    static final String LIBRARY = "libexspoll.so";

    /** Both halves must agree. */
    static final int VERSION = 4;

    private static volatile Path directory;
    private static volatile String obstacle;

    /** Loads the library when it is first asked for. */
    private static final class Library {
        /** Null: it is there. */
        static final String OBSTACLE = load();

        private static String load() {
            try {
                BundledLibrary.load(LIBRARY, directory);
                return version() == VERSION
                        ? null
                        : LIBRARY + " is of another version of EXS sockets: version=" + version() + ", needed="
                                + VERSION;
            } catch (IOException | LinkageError | RuntimeException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    /** {@code (SelectableChannel) int}, or null; looked for when it is first asked for. */
    private static final class Access {
        static final MethodHandle DESCRIPTOR = find();

        private static MethodHandle find() {
            try {
                Class<?> channel = Class.forName("sun.nio.ch.SelChImpl");
                MethodHandle getter = MethodHandles.lookup()
                        .findVirtual(channel, "getFDVal", MethodType.methodType(int.class))
                        .asType(MethodType.methodType(int.class, SelectableChannel.class));
                obstacle = Library.OBSTACLE;
                return obstacle == null ? getter : null;
            } catch (ReflectiveOperationException | RuntimeException e) {
                obstacle = String.valueOf(e.getMessage());
                return null;
            }
        }
    }

    private DescriptorPoll() {}

    /** Sets where the library may be unpacked to, before the first connection; null to choose. */
    public static void use(Path nativeDirectory) {
        directory = nativeDirectory;
    }

    /** {@return why channels cannot be polled; null if they can, or nobody has tried} */
    public static String obstacle() {
        return obstacle;
    }

    /** {@return whether the library is there; the first call takes milliseconds} */
    public static boolean isLoaded() {
        return Library.OBSTACLE == null;
    }

    /** {@return whether channels of the JDK can be polled, and the library is there} */
    static boolean usable() {
        return Access.DESCRIPTOR != null;
    }

    /** {@return the descriptor of a channel of the JDK's own for {@link #poll}; {@link #NONE} if that is not to be had} */
    public static int descriptor(SelectableChannel channel) {
        MethodHandle getter = Access.DESCRIPTOR;
        if (getter == null) {
            return NONE;
        }
        try {
            return (int) getter.invokeExact(channel);
        } catch (ClassCastException foreign) {
            return NONE;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("descriptor: failed: channel=" + channel, e);
        }
    }

    /**
     * Waits until the descriptor is readable or at its end, the bell has been rung, or the time is over; may return for
     * no reason. Blocks the thread in the kernel; an interrupt does not end it. What has been rung is forgotten.
     *
     * @param bell of {@link #openBell}, or {@link #NONE}
     * @param timeoutNs nanoseconds ≥ 0; negative for ever
     * @return 1 if the descriptor is ready, 0 if not, or a negative error number
     */
    public static native int poll(int descriptor, int bell, long timeoutNs);

    /**
     * {@return whether poll(2) tells of an error or a hang-up of a channel now, which it does whatever it is asked for} False also
     * if that cannot be found out.
     */
    public static boolean hungUp(SelectableChannel channel) {
        int descriptor = descriptor(channel);
        return descriptor != NONE && hungUp(descriptor);
    }

    private static native boolean hungUp(int descriptor);

    /** {@return an eventfd(2), or a negative error number} */
    public static native int openBell();

    /** Ends the next or the present {@link #poll}. */
    public static native void ring(int bell);

    /** Gives back the descriptor of a bell. */
    public static native void closeBell(int bell);

    private static native int version();
}

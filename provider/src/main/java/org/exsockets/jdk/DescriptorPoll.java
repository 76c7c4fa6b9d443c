package org.exsockets.jdk;

import java.io.FileInputStream;
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

    public static final String LIBRARY = "libexspoll.so";

    /** Both halves must agree. */
    static final int VERSION = 6;

    private static volatile Path directory;

    /** Why the library, or the way to channels' descriptors, is not there. */
    private static volatile String obstacle;

    /** Whether the library is there; null: nobody has tried, or there was no memory to try with. Changes under the monitor. */
    private static volatile Boolean loaded;

    /** If {@link #loaded} is false; written before it. */
    private static volatile long failedNs;

    /** {@code (SelectableChannel) int}, or null. Written before {@link #searched}, under the monitor. */
    private static MethodHandle access;

    /** Not if there was no memory to search with. */
    private static volatile boolean searched;

    private DescriptorPoll() {}

    /** Sets where the library may be unpacked to, before the first connection; null to choose. */
    public static void use(Path nativeDirectory) {
        directory = nativeDirectory;
    }

    /** {@return why channels cannot be polled; null if they can, or nobody has tried} */
    public static String obstacle() {
        return obstacle;
    }

    /** {@return whether somebody has tried to load the library, and it cannot be} */
    public static boolean isMissing() {
        return Boolean.FALSE.equals(loaded);
    }

    /** {@return whether the library is there; the first call takes milliseconds} */
    public static boolean isLoaded() {
        Boolean known = loaded;
        return isBelieved(known) ? known : load();
    }

    private static boolean isBelieved(Boolean known) {
        return known != null && (known || System.nanoTime() - failedNs < BundledLibrary.FAILURE_BELIEVED_NS);
    }

    /**
     * Loads the library for those who cannot do without.
     *
     * @return false if it cannot be now, or not here; {@link #obstacle} says why, for the user
     * @throws OutOfMemoryError if there is no memory to load it with now
     */
    public static boolean require() {
        if (isLoaded()) {
            return true;
        }
        if (loaded == null && hasDescriptors()) {
            throw new OutOfMemoryError(obstacle);
        }
        return false;
    }

    private static synchronized boolean load() {
        if (!isBelieved(loaded)) {
            try {
                BundledLibrary.load(LIBRARY, directory);
                if (version() != VERSION) {
                    throw new IOException(LIBRARY + " is of another version of EXS sockets: version=" + version()
                            + ", needed=" + VERSION);
                }
                loaded = true;
            } catch (OutOfMemoryError full) {
                obstacle = String.valueOf(full.getMessage());
                return false;
            } catch (IOException | LinkageError | RuntimeException e) {
                obstacle = String.valueOf(e.getMessage());
                if (!hasDescriptors()) {
                    return false; // For now.
                }
                failedNs = System.nanoTime();
                loaded = false;
            }
        }
        return loaded;
    }

    /** {@return whether a file can be opened, as to load the library takes} */
    private static boolean hasDescriptors() {
        try (FileInputStream any = new FileInputStream("/dev/null")) {
            return any.getFD().valid();
        } catch (IOException none) {
            return false;
        }
    }

    /** {@return whether channels of the JDK can be polled, and the library is there} */
    static boolean usable() {
        return access() != null;
    }

    private static MethodHandle access() {
        if (!searched) {
            search();
        }
        return access;
    }

    private static synchronized void search() {
        if (searched) {
            return;
        }
        try {
            MethodHandle found = find();
            if (found != null && !isLoaded()) { // Not loaded where it is of no use: later JVMs would warn of that.
                return;
            }
            access = found;
            searched = true;
        } catch (OutOfMemoryError full) {
            obstacle = String.valueOf(full.getMessage());
        }
    }

    private static MethodHandle find() {
        try {
            Class<?> channel = Class.forName("sun.nio.ch.SelChImpl");
            return MethodHandles.lookup()
                    .findVirtual(channel, "getFDVal", MethodType.methodType(int.class))
                    .asType(MethodType.methodType(int.class, SelectableChannel.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            obstacle = String.valueOf(e.getMessage());
            return null;
        }
    }

    /** {@return the descriptor of a channel of the JDK's own for {@link #poll}; {@link #NONE} if that is not to be had} */
    public static int descriptor(SelectableChannel channel) {
        MethodHandle getter = access();
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

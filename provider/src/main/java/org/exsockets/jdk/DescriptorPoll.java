package org.exsockets.jdk;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * poll(2) of one descriptor, where a selector needs calls to add it first and to remove it afterwards. The library is
 * unpacked and loaded at the first use, once per JVM.
 *
 * <p>Needs the native library, and {@code java.base/sun.nio.ch} open or exported to this module (the agent opens it).
 * Otherwise {@link #descriptor} returns {@link #NONE}.
 *
 * <p>A descriptor's owner keeps it open while a thread polls it: the kernel gives the number of a closed one to the
 * next file.
 */
public final class DescriptorPoll {
    /** {@link #descriptor}: cannot be polled. */
    public static final int NONE = -1;

    public static final String LIBRARY = "libexspoll.so";

    /** Java and native code must agree. */
    static final int VERSION = 12;

    private static volatile @Nullable Path directory;

    /** Why the library, or the access to channels' descriptors, is missing. */
    private static volatile @Nullable String obstacle;

    /**
     * Whether the library is there; null: not tried yet, or memory or descriptors were lacking. Changes under the
     * monitor.
     */
    private static volatile @Nullable Boolean loaded;

    /** Whether the JDK is the reason why the library is not there. Written before {@link #loaded}. */
    private static volatile boolean jdkDiffers;

    /** Whether memory was lacking at the last try; as {@link #loaded}. */
    private static volatile boolean memoryLacks;

    /** When loading failed, if {@link #loaded} is false; written before it. */
    private static volatile long failedNs;

    /** {@code (SelectableChannel) int}, or null. Written before {@link #searched}, under the monitor. */
    private static @Nullable MethodHandle access;

    /** Whether {@link #access} is final; not while memory or the library is lacking. */
    private static volatile boolean searched;

    private DescriptorPoll() {}

    /** Sets where the library may be unpacked to, before the first connection; null to choose. */
    public static void use(@Nullable Path nativeDirectory) {
        directory = nativeDirectory;
    }

    /** {@return why channels cannot be polled; null if they can, or this was not tried} */
    public static @Nullable String obstacle() {
        return obstacle;
    }

    /** {@return whether the library is not there because this JDK is built differently, of which nobody need be warned} */
    public static boolean jdkDiffers() {
        return jdkDiffers;
    }

    /** {@return whether the library could not be loaded; false if not tried} */
    public static boolean isMissing() {
        return Boolean.FALSE.equals(loaded);
    }

    /** {@return whether the library is there; the first call takes milliseconds} */
    public static boolean isLoaded() {
        Boolean known = loaded;
        if (known != null && isBelieved(known)) {
            return known;
        }
        return SecurityManagers.present() ? SecurityManagers.privileged(DescriptorPoll::load) : load();
    }

    private static boolean isBelieved(@Nullable Boolean known) {
        return known != null && (known || System.nanoTime() - failedNs < BundledLibrary.FAILURE_BELIEVED_NS);
    }

    /**
     * Loads the library for callers that cannot work without it.
     *
     * @return false if it cannot be loaded now, or not here; {@link #obstacle} says why, for the user
     * @throws OutOfMemoryError if there is no memory to load it with now
     */
    public static boolean require() {
        if (isLoaded()) {
            return true;
        }
        if (memoryLacks) {
            throw new OutOfMemoryError(obstacle);
        }
        return false;
    }

    private static synchronized boolean load() {
        memoryLacks = false;
        for (int tries = 1; !isBelieved(loaded); tries++) {
            try {
                requirePipes();
                BundledLibrary.load(LIBRARY, directory);
                if (version() != VERSION) {
                    throw new IOException(LIBRARY + " is of another version of EXS sockets: version=" + version()
                            + ", needed=" + VERSION);
                }
                loaded = true;
            } catch (OutOfMemoryError full) {
                obstacle = String.valueOf(full.getMessage());
                memoryLacks = true;
                return false;
            } catch (IOException | LinkageError | RuntimeException e) {
                obstacle = String.valueOf(e.getMessage());
                if (!hasDescriptors()) {
                    return false; // The next call tries again.
                }
                if (tries == BundledLibrary.TRIES) {
                    failedNs = System.nanoTime();
                    jdkDiffers = e instanceof JdkDiffersException;
                    loaded = false;
                }
            }
        }
        return Boolean.TRUE.equals(loaded);
    }

    /** What is natively made for {@link DescriptorChannels}. */
    private static void requirePipes() {
        try {
            Constructor<?> unused =
                    InsideJdk.PIPES.get().getDeclaredConstructor(SelectorProvider.class, FileDescriptor.class);
        } catch (ReflectiveOperationException gone) {
            throw new JdkDiffersException(gone.toString());
        }
    }

    private static boolean hasDescriptors() {
        try (FileInputStream any = new FileInputStream("/dev/null")) {
            return any.getFD().valid();
        } catch (IOException none) {
            return false;
        }
    }

    private static synchronized void search() {
        if (searched) {
            return;
        }
        try {
            MethodHandle found = find();
            if (found != null && !isLoaded()) { // Not loaded without a use for it: later JVMs would warn.
                return;
            }
            access = found;
            searched = true;
        } catch (OutOfMemoryError full) {
            obstacle = String.valueOf(full.getMessage());
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            Class<?> channel = InsideJdk.DESCRIPTORS.get();
            return MethodHandles.lookup()
                    .findVirtual(channel, InsideJdk.DESCRIPTORS.member(0), MethodType.methodType(int.class))
                    .asType(MethodType.methodType(int.class, SelectableChannel.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            obstacle = String.valueOf(e.getMessage());
            return null;
        }
    }

    /** {@return the descriptor of a channel of the JDK's own for {@link #poll}; {@link #NONE} if it is unavailable} */
    public static int descriptor(SelectableChannel channel) {
        if (!searched) {
            search();
        }
        MethodHandle getter = access;
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
     * Waits until the descriptor is readable or at its end, or the time is over; may return for no reason. Blocks the
     * thread in the kernel; an interrupt does not end it.
     *
     * @param timeoutNs nanoseconds ≥ 0; negative for ever
     * @return 1 if the descriptor is ready, 0 if not, or a negative error number
     */
    public static native int poll(int descriptor, long timeoutNs);

    /**
     * {@return whether poll(2) reports an error or a hang-up of a channel now, as it always does} False also if that
     * cannot be found out.
     */
    public static boolean hungUp(SelectableChannel channel) {
        int descriptor = descriptor(channel);
        return descriptor != NONE && hungUp(descriptor);
    }

    private static native boolean hungUp(int descriptor);

    private static native int version();
}

package org.exsockets.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the arenas of java.lang.foreign (in JDK 17: of its incubator) that buffers belong to. While a call of a channel
 * uses such a buffer, the JDK holds its arena, so that closing the arena is refused. EXS does the same by the JDK's own
 * means, if jdk.internal.misc and sun.nio.ch are open to this module; the agent opens them. Otherwise nothing is held,
 * and a copy from memory freed meanwhile throws what the JDK throws. Thread-safe.
 */
public final class BufferSessions {
    /** Null if the packages are closed to us, or the JDK has no such methods. */
    private static final @Nullable Access ACCESS = Access.find();

    private BufferSessions() {}

    /**
     * The JDK's methods.
     *
     * @param inside tells whether a buffer belongs to an arena
     * @param acquire takes a buffer, and whether other threads will use it; returns what {@link #release} takes
     */
    private record Access(BufferInside inside, MethodHandle acquire, MethodHandle release) {
        static @Nullable Access find() {
            BufferInside inside = BufferInside.open();
            if (inside == null) {
                return null;
            }
            try {
                MethodHandles.Lookup own = MethodHandles.lookup();
                Class<?> util = InsideJdk.HELD_ARENAS.get();
                String acquiring = InsideJdk.HELD_ARENAS.member(0);
                String releasing = InsideJdk.HELD_ARENAS.member(1);
                MethodHandles.Lookup inUtil = MethodHandles.privateLookupIn(util, own);
                MethodHandle acquire =
                        inUtil.unreflect(util.getDeclaredMethod(acquiring, ByteBuffer.class, boolean.class));
                if (acquire.type().returnType() == void.class) {
                    // In later JDKs the release takes the buffer itself.
                    acquire = MethodHandles.foldArguments(
                            MethodHandles.dropArguments(MethodHandles.identity(ByteBuffer.class), 1, boolean.class),
                            acquire);
                }
                MethodHandle release = inUtil.findStatic(
                        util,
                        releasing,
                        MethodType.methodType(void.class, acquire.type().returnType()));
                return new Access(
                        inside,
                        acquire.asType(MethodType.methodType(Object.class, ByteBuffer.class, boolean.class)),
                        release.asType(MethodType.methodType(void.class, Object.class)));
            } catch (ReflectiveOperationException | RuntimeException closed) {
                return null;
            }
        }
    }

    /**
     * Holds the arena of a buffer.
     *
     * @param lasting whether other threads use the buffer, too
     * @return what {@link #release} takes; null: there is nothing to release
     * @throws IllegalStateException or {@code WrongThreadException} as by the JDK's channels, if the arena is closed or
     *     belongs to another thread
     * @throws IllegalArgumentException from JDK 26 on, if it belongs to one thread, and others use the buffer
     */
    public static @Nullable Object acquire(ByteBuffer buffer, boolean lasting) {
        Access jdk = ACCESS;
        // Like the JDK, holds nothing for an empty buffer.
        if (jdk == null || !buffer.isDirect() || !buffer.hasRemaining() || !jdk.inside.isOfArena(buffer)) {
            return null;
        }
        try {
            return (Object) jdk.acquire.invokeExact(buffer, lasting);
        } catch (RuntimeException | Error refused) {
            throw refused;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@link #acquire(ByteBuffer, boolean)} for each of some buffers; if one is refused, nothing is held. */
    public static @Nullable Object acquire(ByteBuffer[] buffers, int offset, int length, boolean lasting) {
        List<Object> all = null;
        try {
            for (int i = offset; i < offset + length; i++) {
                Object held = acquire(buffers[i], lasting);
                if (held != null) {
                    all = all == null ? new ArrayList<>() : all;
                    all.add(held);
                }
            }
        } catch (RuntimeException | Error refused) {
            release(all);
            throw refused;
        }
        return all;
    }

    public static void release(@Nullable Object held) {
        Access jdk = ACCESS;
        if (held == null || jdk == null) {
            return;
        }
        if (held instanceof List<?> all) {
            all.forEach(BufferSessions::release);
            return;
        }
        try {
            jdk.release.invokeExact(held);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

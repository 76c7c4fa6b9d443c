package org.exsockets.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The arenas that buffers of foreign memory belong to (java.lang.foreign; in JDK 17 its incubator). While a call of a channel
 * uses such a buffer the JDK holds its arena, so that closing that is refused. So does EXS, with the JDK's own means: where
 * jdk.internal.misc and sun.nio.ch are open to this module, which the agent sees to. Elsewhere nothing is held, and a copy from memory
 * that has gone meanwhile throws what the JDK makes of it. Thread-safe.
 */
public final class BufferSessions {
    /** Null where the JDK is closed to us, or has none of this. */
    private static final Access ACCESS = Access.find();

    private BufferSessions() {}

    /**
     * The JDK's methods.
     *
     * @param inside tells whose memory a buffer is
     * @param acquire a buffer, and whether other threads will use it: gives what {@link #release} takes
     */
    private record Access(BufferInside inside, MethodHandle acquire, MethodHandle release) {
        static Access find() {
            BufferInside inside = BufferInside.open();
            if (inside == null) {
                return null;
            }
            try {
                MethodHandles.Lookup own = MethodHandles.lookup();
                Class<?> util = Class.forName("sun.nio.ch.IOUtil");
                MethodHandles.Lookup inUtil = MethodHandles.privateLookupIn(util, own);
                Class<?> held = util.getDeclaredMethod("acquireScope", ByteBuffer.class, boolean.class)
                        .getReturnType();
                MethodHandle acquire = inUtil.findStatic(
                        util, "acquireScope", MethodType.methodType(held, ByteBuffer.class, boolean.class));
                MethodHandle release;
                if (held == void.class) {
                    // Later JDKs take the buffer itself.
                    acquire = MethodHandles.foldArguments(
                            MethodHandles.dropArguments(MethodHandles.identity(ByteBuffer.class), 1, boolean.class),
                            acquire);
                    release = inUtil.findStatic(
                            util, "releaseScope", MethodType.methodType(void.class, ByteBuffer.class));
                } else {
                    release = inUtil.findStatic(util, "releaseScope", MethodType.methodType(void.class, held));
                }
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
     * @param lasting whether it is used by other threads, too
     * @return for {@link #release}; null: there is nothing to release
     * @throws IllegalStateException or {@code WrongThreadException} as the JDK's channels, if the arena is closed, or another
     *     thread's
     */
    public static Object acquire(ByteBuffer buffer, boolean lasting) {
        Access jdk = ACCESS;
        // The JDK does not ask for what it will not touch.
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
    public static Object acquire(ByteBuffer[] buffers, int offset, int length, boolean lasting) {
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

    /** @param held what {@code acquire} has returned */
    public static void release(Object held) {
        if (held == null) {
            return;
        }
        if (held instanceof List<?> all) {
            all.forEach(BufferSessions::release);
            return;
        }
        try {
            ACCESS.release.invokeExact(held);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}

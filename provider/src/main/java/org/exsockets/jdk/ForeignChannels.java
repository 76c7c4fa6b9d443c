package org.exsockets.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import org.jspecify.annotations.Nullable;

/**
 * Registers a JDK channel with a JDK selector without the channel knowing.
 *
 * <p>Registered through the public API, the channel would hold two keys, ours and the inner one; the inner selector
 * would drop its own first, find the channel still registered, and never close its descriptor. Calling the selector's
 * protected method leaves our key the only one. It needs {@code java.base/java.nio.channels.spi} open to this module.
 */
public final class ForeignChannels {
    /** The option of Java that opens that package, for a program without the agent, which opens it itself. */
    public static final String OPTION = "--add-opens java.base/java.nio.channels.spi=ALL-UNNAMED";

    public static final String ADVICE =
            "without the agent EXS needs the JDK's package java.nio.channels.spi open; start Java with " + OPTION;

    private static final @Nullable MethodHandle REGISTER = find();

    /** What the JDK's selectors accept; null: unknown. */
    private static final @Nullable Class<?> SELECTABLE = InsideJdk.CHANNELS.find();

    private ForeignChannels() {}

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.privateLookupIn(AbstractSelector.class, MethodHandles.lookup())
                    .findVirtual(
                            AbstractSelector.class,
                            "register",
                            MethodType.methodType(
                                    SelectionKey.class, AbstractSelectableChannel.class, int.class, Object.class));
        } catch (ReflectiveOperationException notOpen) {
            return null;
        }
    }

    public static boolean supported() {
        return REGISTER != null;
    }

    /** {@return whether it works with this channel: the JDK's selectors accept only the JDK's channels} */
    public static boolean supports(AbstractSelectableChannel channel) {
        return SELECTABLE == null || SELECTABLE.isInstance(channel);
    }

    /**
     * Makes the next selection of {@code selector} free the descriptor of a closed channel that no key holds any more.
     */
    public static void release(Selector selector, AbstractSelectableChannel channel) {
        register(selector, channel, 0, null).cancel();
    }

    /** Registers {@code channel} with {@code selector} without the channel knowing. */
    public static SelectionKey register(
            Selector selector, AbstractSelectableChannel channel, int ops, @Nullable Object attachment) {
        MethodHandle known = REGISTER;
        if (known == null) {
            throw new IllegalStateException("register: not supported: channel=" + channel);
        }
        try {
            return (SelectionKey) known.invokeExact((AbstractSelector) selector, channel, ops, attachment);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("register: failed: channel=" + channel, e);
        }
    }
}

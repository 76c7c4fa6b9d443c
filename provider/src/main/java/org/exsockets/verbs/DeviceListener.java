package org.exsockets.verbs;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/** Listens on a device. {@link #tryAccept} is for one thread at a time; the rest for any. */
public interface DeviceListener extends Closeable {
    String device();

    /** {@return the address that the program listens on} */
    InetSocketAddress localAddress();

    /**
     * {@return a non-blocking channel of the JDK's own, ready while connections wait: acceptable (OP_ACCEPT) or
     * readable (OP_READ), whichever its valid operations contain}
     */
    SelectableChannel selectable();

    /**
     * Takes the next connection whose hand-shake is complete, without blocking.
     *
     * @return null if there is none
     * @throws IOException if the listener itself is broken or closed, or this process lacks resources now; a peer's
     *     fault is logged and skipped
     */
    @Nullable
    Endpoint tryAccept() throws IOException;

    /** {@return whether {@link #hasArrivals} shows connections soon enough to spin on it} */
    default boolean tellsArrivals() {
        return false;
    }

    /**
     * {@return whether connections may have arrived since the latest {@link #tryAccept} began} Costs no system call.
     * Only a hint: it misses some connections, such as those of clients that come for the first time. Threads sleep on
     * {@link #selectable}.
     */
    default boolean hasArrivals() {
        return false;
    }

    /**
     * {@return whether {@link #tryAccept} would return a connection, now that {@link #selectable} is ready} For the
     * accepting thread. A device whose channel can be ready before the hand-shake is complete accepts the connection
     * here; then {@link #hasLate} becomes true.
     */
    default boolean confirmReady() throws IOException {
        return true;
    }

    /**
     * {@return whether {@link #tryAccept} would return a connection whose hand-shake was completed late, or fail
     * because this process lacks resources for one}
     */
    default boolean hasLate() {
        return false;
    }

    /**
     * Announces that the program is going to accept. Until then, a hand-shake that is incomplete at {@link #tryAccept}
     * is refused.
     *
     * @param background waits for such hand-shakes from now on
     * @param onLate runs when {@link #hasLate} becomes true, in that thread or one of the device's; must not block
     */
    default void attend(Background background, Runnable onLate) {}

    /** Stops listening; connections not yet accepted are reset. Idempotent. */
    @Override
    void close();
}

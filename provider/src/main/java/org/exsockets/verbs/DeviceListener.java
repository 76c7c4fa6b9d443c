package org.exsockets.verbs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectableChannel;

/** Listens on a device. {@link #tryAccept} is for one thread at a time; the rest for any. */
public interface DeviceListener extends Closeable {
    /**
     * {@return a non-blocking channel of the JDK's own, ready while connections wait: acceptable (OP_ACCEPT) or readable
     * (OP_READ), whichever its valid operations contain}
     */
    SelectableChannel selectable();

    /**
     * Takes the next connection whose hand-shake is complete, without blocking.
     *
     * @return null if there is none
     * @throws IOException if the listener itself is broken or closed, or this process lacks descriptors now; a peer's fault is
     *     logged and skipped
     */
    Endpoint tryAccept() throws IOException;

    /** {@return whether {@link #hasArrivals} tells of connections soon enough that spinning on it makes sense} */
    default boolean tellsArrivals() {
        return false;
    }

    /**
     * {@return whether connections may have arrived since the latest {@link #tryAccept} began; costs no system call. Only a
     * hint: some may have arrived that it does not tell of, as those of clients that come for the first time, and {@link #selectable} is what one
     * sleeps on}
     */
    default boolean hasArrivals() {
        return false;
    }

    /**
     * {@return whether {@link #tryAccept} would return a connection, now that {@link #selectable} is ready} For the thread
     * that may call that. A device whose channel is ready before the hand-shake is complete takes the connection in, after
     * which {@link #hasLate} tells of it.
     */
    default boolean confirmReady() throws IOException {
        return true;
    }

    /**
     * {@return whether {@link #tryAccept} would return a connection whose hand-shake was completed late, or fail for want of
     * what one takes}
     */
    boolean hasLate();

    /**
     * Somebody is going to accept. Before that hand-shakes that are incomplete at {@link #tryAccept} are looked at again at the next one.
     *
     * @param background waits for them from now on
     * @param onLate runs when {@link #hasLate} becomes true, in that thread or one of the device's; must not block
     */
    void attend(Background background, Runnable onLate);

    /** Stops listening; connections not yet accepted are reset. Idempotent. */
    @Override
    void close();
}

package org.exsockets.verbs;

import java.io.IOException;
import java.nio.channels.SelectableChannel;

/** The background thread, which waits for what no thread of the program should wait for. Any thread. */
public interface Background {
    /**
     * Has {@code onReady} run there once when {@code channel} is ready for {@code ops}, or is found to be closed.
     *
     * @param channel non-blocking, of the JDK's own
     * @param onReady must not block
     * @throws IOException if there is no such thread
     */
    void watch(SelectableChannel channel, int ops, Runnable onReady) throws IOException;

    /**
     * Has {@code task} run there, after two milliseconds at least. It must not block. {@return false if there is no
     * such thread}
     */
    boolean later(Runnable task);

    /** To be called when watched channels have been closed: the thread gives back their descriptors. */
    void forgetClosed();
}

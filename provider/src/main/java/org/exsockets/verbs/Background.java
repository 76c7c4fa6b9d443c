package org.exsockets.verbs;

import java.io.IOException;
import java.nio.channels.SelectableChannel;

/** The thread of the process that waits for what nobody else should wait for. Any thread may ask it. */
public interface Background {
    /**
     * Has {@code onReady} run on that thread, once, when {@code channel} is ready for {@code ops}, or is found to be closed. It must not block.
     *
     * @param channel non-blocking, of the JDK's own
     * @throws IOException if there is no such thread
     */
    void watch(SelectableChannel channel, int ops, Runnable onReady) throws IOException;

    /** Channels that were being watched have been closed: the thread gives back their descriptors. */
    void forgetClosed();
}

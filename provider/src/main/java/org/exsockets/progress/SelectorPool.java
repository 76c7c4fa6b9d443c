package org.exsockets.progress;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;

/**
 * JDK selectors between two connections that need one to sleep in: opening and closing one costs several system calls.
 * Thread-safe.
 */
final class SelectorPool {
    private static final int MAX_IDLE = 16;

    /** Guarded by its own monitor. */
    private static final ArrayDeque<Selector> IDLE = new ArrayDeque<>(MAX_IDLE);

    private SelectorPool() {}

    /** {@return a selector without keys} */
    static Selector acquire() throws IOException {
        synchronized (IDLE) {
            Selector idle = IDLE.poll();
            if (idle != null) {
                return idle;
            }
        }
        return JdkChannels.openSelector();
    }

    /** Takes back a selector that nobody sleeps in; its keys are cancelled and closed channels let go. */
    static void release(Selector selector) {
        if (isEmptied(selector)) {
            synchronized (IDLE) {
                if (IDLE.size() < MAX_IDLE) {
                    IDLE.push(selector);
                    return;
                }
            }
        }
        try {
            selector.close();
        } catch (IOException e) {
            Log.debug("selector pool: " + e.getMessage());
        }
    }

    private static boolean isEmptied(Selector selector) {
        try {
            for (SelectionKey key : selector.keys()) {
                key.cancel();
            }
            selector.selectNow();
            return true;
        } catch (IOException e) {
            Log.debug("selector pool: " + e.getMessage());
            return false;
        }
    }
}

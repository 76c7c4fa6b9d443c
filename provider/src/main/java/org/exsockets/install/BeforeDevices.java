package org.exsockets.install;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.watch.Managed;
import org.exsockets.watch.WatchSocket;

/** What a program needs that has listeners or connections over EXS. Run before each device is opened. Any thread. */
final class BeforeDevices implements Runnable {
    /** Short programs have ended by then. */
    private static final long WATCHED_AFTER_MS = 1_000;

    /** It costs nothing to look for a monitor, but to be awake for it does. */
    private static final long MANAGED_AFTER_MS = 5_000;

    private final ExitHook exit;
    private final boolean jmx;

    @GuardedBy("this")
    private boolean begun;

    /** @param jmx whether to make an MBean server where there is none */
    BeforeDevices(ExitHook exit, boolean jmx) {
        this.exit = exit;
        this.jmx = jmx;
    }

    @Override
    public synchronized void run() {
        exit.run();
        if (!begun) {
            begun = true;
            ProgressThread.trySubmitLater(new Runnable() {
                @Override
                public void run() {
                    ProgressThread.repeat(new WatchSocket(), WATCHED_AFTER_MS);
                    ProgressThread.repeat(new Managed(jmx), jmx ? 0 : MANAGED_AFTER_MS);
                }
            });
        }
    }
}

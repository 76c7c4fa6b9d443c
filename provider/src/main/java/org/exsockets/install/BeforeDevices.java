package org.exsockets.install;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.watch.WatchSocket;

/** What a program needs that has listeners or connections over EXS. Run before each device is opened. Any thread. */
final class BeforeDevices implements Runnable {
    /** Short programs have ended by then. */
    private static final long WATCHED_AFTER_MS = 1_000;

    private final ExitHook exit;

    @GuardedBy("this")
    private boolean begun;

    BeforeDevices(ExitHook exit) {
        this.exit = exit;
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
                }
            });
        }
    }
}

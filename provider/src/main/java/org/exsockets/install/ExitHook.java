package org.exsockets.install;

import java.util.Optional;
import org.exsockets.config.StatsTarget;
import org.exsockets.connection.LiveConnections;
import org.exsockets.jdk.LateShutdown;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.waiting.ProgressThread;

/**
 * Does at the end of the JVM what the kernel does for TCP connections left open, and writes the statistics. {@link
 * #run} registers it: for statistics at the start of the program, otherwise before the first device is opened, since
 * JDKs from 18 on take 14 ms for it. No lambdas: they cost every start. Any thread.
 */
final class ExitHook implements Runnable {
    private final Optional<StatsTarget> stats;
    private final Rehearsal rehearsal;

    private boolean registered;
    private volatile boolean nettyKept;

    ExitHook(Optional<StatsTarget> stats, Rehearsal rehearsal) {
        this.stats = stats;
        this.rehearsal = rehearsal;
    }

    @Override
    public synchronized void run() {
        if (!registered) {
            LateShutdown.register(new End(true), new End(false));
            registered = true;
        }
    }

    /** Netty has been kept off its native transport. */
    void nettyKept() {
        nettyKept = true;
    }

    private final class End implements Runnable {
        /** Whether all hooks of the program have ended, so that none needs the background threads. */
        private final boolean last;

        End(boolean last) {
            this.last = last;
        }

        /** Whoever ends the JVM needs no permission for what is done here. */
        @Override
        public void run() {
            if (SecurityManagers.present()) {
                SecurityManagers.asOurselves(this::end);
            } else {
                end();
            }
        }

        private void end() {
            try {
                rehearsal.end();
                LiveConnections.endAll();
                Rendezvous.shutDown();
                if (last) {
                    ProgressThread.endWithJvm();
                    Rendezvous.endWithJvm();
                }
            } catch (RuntimeException e) {
                Log.error("end of the JVM: " + e, e);
            }
            if (last && nettyKept && Statistics.jvm().onlyTcp()) {
                Log.info("Netty was kept on NIO, but no connection has used EXS: exs.netty=native makes it faster");
            }
            try {
                if (stats.isPresent()) {
                    Statistics.jvm().writeTo(stats.get());
                }
            } catch (RuntimeException e) {
                Log.error("exs.stats: " + e.getMessage());
            }
        }
    }
}

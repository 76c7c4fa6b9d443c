package org.exsockets.install;

import java.util.Optional;
import org.exsockets.config.StatsTarget;
import org.exsockets.jdk.LateShutdown;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.socket.LiveConnections;

/** At the end of the JVM: what the kernel does for TCP connections left open, and the statistics. */
final class ExitHook {
    private ExitHook() {}

    static void install(Optional<StatsTarget> stats) {
        LateShutdown.register(() -> {
            LiveConnections.endAll();
            Rendezvous.shutDown();
            try {
                stats.ifPresent(target -> Statistics.jvm().writeTo(target));
            } catch (RuntimeException e) {
                Log.error("exs.stats: " + e.getMessage());
            }
        });
    }
}

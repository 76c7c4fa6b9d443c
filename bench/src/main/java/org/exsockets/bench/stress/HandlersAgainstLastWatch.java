package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.aio.LeaderAndFollower;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A leader begins to run handlers while the watcher stops watching because all is quiet: one of the two sees the other.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the leader calls another watcher")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the watcher goes on")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "nobody notices if a handler blocks")
@State
public class HandlersAgainstLastWatch {
    private final LeaderAndFollower both = new LeaderAndFollower().lead().watch();

    @Actor
    public void leader() {
        both.beginHandlers();
    }

    @Actor
    public void watcher(ZZ_Result r) {
        r.r2 = both.stopWatching();
    }

    @Arbiter
    public void called(ZZ_Result r) {
        r.r1 = both.woken();
    }
}

package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.connection.Close;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** As {@link CloseAgainstRead}, with a close that ends the output before the reset, as that of a socket. */
@JCStressTest
@Outcome(id = "ABORT, true", expect = ACCEPTABLE, desc = "the end, and then a reset")
@Outcome(expect = FORBIDDEN, desc = "no end, or no reset")
@State
public class CloseOutputAgainstRead {
    private final UnreadConnection connection = new UnreadConnection();

    @Actor
    public void close() {
        connection.close(Close.OUTPUT_FIRST);
    }

    @Actor
    public void read() {
        connection.read();
    }

    @Arbiter
    public void peer(LZ_Result r) {
        connection.tellPeers(r);
    }
}

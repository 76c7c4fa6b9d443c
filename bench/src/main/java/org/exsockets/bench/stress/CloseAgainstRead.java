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

/** One thread closes a connection while another one reads some of its bytes, and leaves others. */
@JCStressTest
@Outcome(id = "ABORT, false", expect = ACCEPTABLE, desc = "a reset")
@Outcome(expect = FORBIDDEN, desc = "the unread bytes are forgotten, or the peer reads an end before the reset")
@State
public class CloseAgainstRead {
    private final UnreadConnection connection = new UnreadConnection();

    @Actor
    public void close() {
        connection.close(Close.ORDERLY);
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

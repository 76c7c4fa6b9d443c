package org.exsockets.compat.noagent;

import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TransportUnderTest;
import org.junit.jupiter.api.Tag;

/** Runs a contract over EXS in a JVM that has the selector provider but not the agent. */
@Tag("noagent")
interface WithoutAgent extends TransportUnderTest {
    @Override
    default Transport transport() {
        return Transport.SOFT;
    }
}

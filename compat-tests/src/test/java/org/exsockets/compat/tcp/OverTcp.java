package org.exsockets.compat.tcp;

import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TransportUnderTest;
import org.junit.jupiter.api.Tag;

/** Runs a contract over the JDK's own TCP. */
@Tag("tcp")
interface OverTcp extends TransportUnderTest {
    @Override
    default Transport transport() {
        return Transport.TCP;
    }
}

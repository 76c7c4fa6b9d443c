package org.exsockets.compat.soft;

import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TransportUnderTest;
import org.junit.jupiter.api.Tag;

/** Runs a contract over EXS on the software device. */
@Tag("soft")
interface OverSoft extends TransportUnderTest {
    @Override
    default Transport transport() {
        return Transport.SOFT;
    }
}

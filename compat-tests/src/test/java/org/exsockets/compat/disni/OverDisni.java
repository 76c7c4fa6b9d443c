package org.exsockets.compat.disni;

import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.harness.TransportUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs a contract over EXS on an RDMA adapter. */
@Tag("disni")
@ExtendWith(Exclusions.class)
interface OverDisni extends TransportUnderTest {
    @Override
    default Transport transport() {
        return Transport.DISNI;
    }
}

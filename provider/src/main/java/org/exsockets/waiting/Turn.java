package org.exsockets.waiting;

import java.io.IOException;

/**
 * A call that may have to wait for others before it. What it checks first, such as mode and interrupt, may change
 * meanwhile: as in the JDK, it checks at its turn.
 */
@FunctionalInterface
public interface Turn {
    /**
     * It is the call's turn; other readers, or other writers, wait for it.
     *
     * @return how the call waits
     * @throws IOException what the call is to fail with
     */
    Wait begin() throws IOException;
}

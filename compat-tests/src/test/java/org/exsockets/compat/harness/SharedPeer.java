package org.exsockets.compat.harness;

import java.io.IOException;

/**
 * The peer process that the contracts of this JVM share: starting one takes longer than most of them. It ends with this JVM,
 * which closes its standard input.
 */
public final class SharedPeer {
    private static PeerJvm peer;

    private SharedPeer() {}

    /** Returns the peer; if it has ended, another one. */
    public static synchronized PeerJvm get() throws IOException {
        if (peer == null || !peer.isAlive()) {
            peer = PeerJvm.start();
        }
        return peer;
    }
}

package org.exsockets.compat.harness;

import java.io.IOException;

/** A test's handle to a listener in a peer process. Any thread may use it. */
public final class PeerListener {
    private final PeerJvm peer;
    private final String name;
    private final int port;

    PeerListener(PeerJvm peer, String name, int port) {
        this.peer = peer;
        this.name = name;
        this.port = port;
    }

    public int port() {
        return port;
    }

    /** Starts one accept and returns at once. */
    public PeerSocket accept() throws IOException {
        String connection = peer.newName();
        return new PeerSocket(peer, connection, peer.send("accept", name, connection));
    }

    public void close() throws IOException {
        PeerJvm.await(peer.send("close", name));
    }
}

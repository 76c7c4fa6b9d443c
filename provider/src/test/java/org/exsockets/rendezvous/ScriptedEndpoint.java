package org.exsockets.rendezvous;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.RemoteRegion;

/** A connection that carries nothing; it knows its device and its addresses. */
record ScriptedEndpoint(String device, InetSocketAddress localAddress, InetSocketAddress remoteAddress)
        implements Endpoint {
    @Override
    public QueuePair queuePair() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuffer exposed() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RemoteRegion remote() {
        throw new UnsupportedOperationException();
    }

    @Override
    public MoreRoom moreRoom() {
        return null;
    }

    @Override
    public DirectAccess direct() {
        return null;
    }

    @Override
    public int receiveDepth() {
        return 0;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void release() {}
}

package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;

/** A listener to which nobody comes. */
class ScriptedListener implements DeviceListener {
    boolean closed;

    @Override
    public String device() {
        return "scripted";
    }

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(0);
    }

    @Override
    public SelectableChannel selectable() {
        try {
            return Pipe.open().source();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Endpoint tryAccept() throws IOException {
        return null;
    }

    @Override
    public void close() {
        closed = true;
    }
}

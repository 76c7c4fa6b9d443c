package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;

/** A side whose row runs over one asynchronous channel, by its handlers. */
abstract class AsynchronousSide implements Side {
    final int sizeBytes;
    private final CpuClock cpu = new CpuClock();
    private final AsynchronousChannelGroup group;
    private final AsynchronousServerSocketChannel listener;
    private final int peerPort;
    AsynchronousWire wire;

    AsynchronousSide(Fields spec, boolean server) throws IOException {
        sizeBytes = spec.integer("size");
        group = server ? AsynchronousWire.newGroup() : null;
        listener = server ? AsynchronousServerSocketChannel.open(group).bind(Listening.anyPort()) : null;
        peerPort = server ? 0 : spec.integer("port");
    }

    public int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public void open() throws IOException {
        wire = listener == null
                ? AsynchronousWire.connect(peerPort, sizeBytes)
                : AsynchronousWire.accept(listener, group, sizeBytes);
    }

    final void startRound() throws IOException {
        cpu.start();
    }

    final Fields endRound(Fields figures) throws IOException {
        return figures.with("cpuNs", cpu.elapsedNs());
    }

    @Override
    public void close() throws IOException {
        if (wire != null) {
            wire.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}

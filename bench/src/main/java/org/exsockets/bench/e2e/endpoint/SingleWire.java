package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** A side whose row runs over one connection. */
abstract class SingleWire implements Side {
    final Face face;
    final int sizeBytes;
    private final WireOptions options;
    private final CpuClock cpu = new CpuClock();
    private final Listening listening;
    private final int peerPort;
    Wire wire;

    SingleWire(Fields spec, boolean server) throws IOException {
        face = Face.of(spec);
        options = WireOptions.of(spec);
        sizeBytes = options.sizeBytes();
        listening = server ? face.listen() : null;
        peerPort = server ? 0 : spec.integer("port");
    }

    public int port() throws IOException {
        return listening.port();
    }

    @Override
    public void open() throws IOException {
        wire = listening == null ? face.connect(peerPort, options) : listening.accept(face, options);
    }

    final void startRound() throws IOException {
        if (options.metered() != null) {
            options.metered().reset();
        }
        cpu.start();
    }

    final Fields endRound(Fields figures) throws IOException {
        figures.with("cpuNs", cpu.elapsedNs());
        return options.metered() == null ? figures : options.metered().into(figures);
    }

    @Override
    public void close() throws IOException {
        if (wire != null) {
            wire.close();
        }
        if (listening != null) {
            listening.close();
        }
    }
}

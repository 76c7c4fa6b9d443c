package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** A side whose row runs over one connection. */
abstract class SingleWire implements Side {
    final Face face;
    final int sizeBytes;
    private final CpuClock cpu = new CpuClock();
    /** Counts allocations, or null in a row that is timed. */
    final Metered metered;

    private final Listening listening;
    private final int peerPort;
    Wire wire;

    SingleWire(Fields spec, boolean server) throws IOException {
        face = Face.of(spec);
        sizeBytes = spec.integer("size");
        metered = spec.has("metered") ? new Metered() : null;
        listening = server ? face.listen() : null;
        peerPort = server ? 0 : spec.integer("port");
    }

    public int port() throws IOException {
        return listening.port();
    }

    @Override
    public void open() throws IOException {
        wire = listening == null
                ? face.connect(peerPort, sizeBytes, metered)
                : listening.accept(face, sizeBytes, metered);
    }

    final void startRound() throws IOException {
        if (metered != null) {
            metered.reset();
        }
        cpu.start();
    }

    final Fields endRound(Fields figures) throws IOException {
        figures.with("cpuNs", cpu.elapsedNs());
        return metered == null ? figures : metered.into(figures);
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

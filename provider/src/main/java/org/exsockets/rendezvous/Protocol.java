package org.exsockets.rendezvous;

import org.exsockets.packet.PacketEngine;
import org.exsockets.stream.StreamEngine;

/**
 * The protocol of a connection. To devices and connection managers it is a version of the upper protocol. Ends of
 * different protocols never connect: each finds only listeners of its own, and the hand-shake refuses the others. Each
 * has a range of versions: {@link org.exsockets.verbs.EndpointParameters#VERSIONS_PER_PROTOCOL}.
 */
public enum Protocol {
    /** EXS streams, of ordinary sockets and of ES-API sockets of type STREAM. */
    STREAM(StreamEngine.VERSION),

    /** Packets of ES-API sockets of type SEQPACKET. */
    PACKETS(PacketEngine.VERSION);

    private final int version;

    Protocol(int version) {
        this.version = version;
    }

    int version() {
        return version;
    }

    Protocol other() {
        return this == STREAM ? PACKETS : STREAM;
    }

    String socketType() {
        return this == STREAM ? "STREAM" : "SEQPACKET";
    }
}

package org.exsockets.verbs.soft;

/** The arenas of this process and those of peers it has mapped: what the ends of connections share. Thread-safe. */
record ProgramArenas(Arenas own, PeerMappings<MappedArena> peers) {
    static final int MAX_MAPPED = 64;

    ProgramArenas(SoftDirectory directory) {
        this(new Arenas(directory), new PeerMappings<>(directory, MAX_MAPPED));
    }

    EndpointArenas of(Segment segment, boolean isA) {
        return new EndpointArenas(own, peers, segment, isA);
    }
}

package org.exsockets.verbs.soft;

/** The signs of this process and those of peers it has mapped: what the ends of connections share. Thread-safe. */
record ProgramSigns(SleepSigns own, PeerMappings<MappedSigns> peers) {
    /** Peers beyond that number get an event for each completion. */
    static final int MAX_MAPPED = 1024;

    ProgramSigns(SoftDirectory directory) {
        this(new SleepSigns(directory), new PeerMappings<>(directory, MAX_MAPPED));
    }

    EndpointSigns of(Segment segment, boolean isA, Doorbell doorbell) {
        return new EndpointSigns(own, peers, segment, isA, doorbell);
    }
}

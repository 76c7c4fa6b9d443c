package org.exsockets.verbs.soft;

import java.nio.file.Path;

/** A file of a peer, mapped. Belongs to {@link PeerMappings}, which unmaps it when nobody uses it any more. */
abstract class PeerMapping {
    private final Path file;

    /** Connections that use it; guarded by {@link PeerMappings}. */
    private int users;

    PeerMapping(Path file) {
        this.file = file;
    }

    final Path file() {
        return file;
    }

    /** Guarded by {@link PeerMappings}. */
    final int users() {
        return users;
    }

    /** Guarded by {@link PeerMappings}. */
    final void addUsers(int more) {
        users += more;
    }

    /** {@return whether the owner has no use for it any more} */
    abstract boolean isFreed();

    /** Nobody touches it any more. */
    abstract void unmap();
}

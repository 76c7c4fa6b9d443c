package org.exsockets.compat.programs;

import java.util.Set;

/** RMI: a registry, objects over sockets and over {@code SSLSocket}s, calls back into the client. */
final class RmiIT extends ProgramTest {
    RmiIT() {
        super(new Driver("jdk", "RmiServer"), new Driver("jdk", "RmiClient"));
    }

    /**
     * The client listens, too, for calls back. The server's garbage collection connects to it once more, perhaps when it
     * has ended.
     */
    @Override
    Set<String> otherReasons() {
        return Set.of("no-listener", "peer-plain");
    }
}

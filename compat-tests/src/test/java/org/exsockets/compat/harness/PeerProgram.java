package org.exsockets.compat.harness;

/** What a peer process runs when commands for single connections are not enough; has a constructor without parameters. */
@FunctionalInterface
public interface PeerProgram {
    /** Runs to its end. Returns what the test is to know: one line. */
    String run(String[] arguments) throws Exception;
}

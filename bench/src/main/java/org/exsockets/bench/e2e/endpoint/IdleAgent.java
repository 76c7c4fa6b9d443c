package org.exsockets.bench.e2e.endpoint;

/** An agent that does nothing: what any agent costs. */
public final class IdleAgent {
    private IdleAgent() {}

    public static void premain(String argument) {}
}

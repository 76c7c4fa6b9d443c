package org.exsockets.compat.programs;

/** Which of the two JVMs have the agent. */
enum Sides {
    /** None: what everything else is compared with. */
    NEITHER(false, false),
    BOTH(true, true),
    SERVER(true, false),
    CLIENT(false, true);

    final boolean serverHasAgent;
    final boolean clientHasAgent;

    Sides(boolean serverHasAgent, boolean clientHasAgent) {
        this.serverHasAgent = serverHasAgent;
        this.clientHasAgent = clientHasAgent;
    }
}

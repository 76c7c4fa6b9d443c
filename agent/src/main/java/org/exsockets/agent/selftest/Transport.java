package org.exsockets.agent.selftest;

import java.util.Locale;

/** By what a JVM's connections go: the JDK's own sockets, or the agent's. */
enum Transport {
    TCP,
    EXS;

    /** {@return the name in JSON and of files} */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}

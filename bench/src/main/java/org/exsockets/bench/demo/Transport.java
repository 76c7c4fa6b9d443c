package org.exsockets.bench.demo;

/** What the sockets of a pair of JVMs travel over. */
enum Transport {
    /** Plain TCP: the JVM is started without the agent. */
    TCP,
    /** EXS: the same command with the agent in front. */
    EXS
}

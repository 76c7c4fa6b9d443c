package org.exsockets.bench.demo.program;

/** The address that servers listen on and clients connect to: the property {@code demo.host}, or loopback. */
final class ServerHost {
    static final String NAME = System.getProperty("demo.host", "127.0.0.1");

    private ServerHost() {}
}

package org.exsockets.compat.programs;

/** Netty: HTTP/1.1 and HTTP/2 at both sides, with its TLS handler over an {@code SSLEngine}. */
final class NettyIT extends ProgramTest {
    NettyIT() {
        super(new Driver("netty", "NettyServer"), new Driver("netty", "NettyClient"));
    }
}

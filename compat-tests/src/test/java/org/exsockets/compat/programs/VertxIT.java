package org.exsockets.compat.programs;

/** Vert.x: HTTP/1.1 and HTTP/2, in the clear and with TLS, WebSockets, files. */
final class VertxIT extends ProgramTest {
    VertxIT() {
        super(new Driver("vertx", "VertxServer"), Driver.WEB_CLIENTS);
    }
}

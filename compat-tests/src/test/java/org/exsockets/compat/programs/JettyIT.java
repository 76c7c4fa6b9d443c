package org.exsockets.compat.programs;

/** Jetty: HTTP/1.1 and HTTP/2, in the clear and with TLS. */
final class JettyIT extends ProgramTest {
    JettyIT() {
        super(new Driver("jetty", "JettyServer"), Driver.WEB_CLIENTS);
    }
}

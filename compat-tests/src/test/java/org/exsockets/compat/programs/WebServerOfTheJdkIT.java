package org.exsockets.compat.programs;

import java.util.List;

/** The JDK's web server with its two HTTP clients, in the clear and with TLS. */
final class WebServerOfTheJdkIT extends ProgramTest {
    WebServerOfTheJdkIT() {
        super(Driver.WEB_SERVER, Driver.WEB_CLIENTS);
    }

    /** The server would delay small writes otherwise, until the client's kernel acknowledges the last one: 40 ms. */
    @Override
    List<String> options() {
        return List.of("-Dsun.net.httpserver.nodelay=true");
    }
}

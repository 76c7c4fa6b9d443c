package org.exsockets.compat.programs;

/** Undertow: HTTP/1.1 and HTTP/2, in the clear and with TLS, WebSockets. */
final class UndertowIT extends ProgramTest {
    UndertowIT() {
        super(new Driver("undertow", "UndertowServer"), Driver.WEB_CLIENTS);
    }
}

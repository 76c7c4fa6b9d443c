package org.exsockets.compat.programs;

/** Tomcat on asynchronous channels: HTTP/1.1 and HTTP/2, in the clear and with TLS, WebSockets, sendfile. */
final class TomcatNio2IT extends ProgramTest {
    TomcatNio2IT() {
        super(new Driver("tomcat", "TomcatServer", "org.apache.coyote.http11.Http11Nio2Protocol"), Driver.WEB_CLIENTS);
    }
}

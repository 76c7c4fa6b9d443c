package org.exsockets.compat.programs;

/** Tomcat on channels with selectors: HTTP/1.1 and HTTP/2, in the clear and with TLS, WebSockets, sendfile. */
final class TomcatNioIT extends ProgramTest {
    TomcatNioIT() {
        super(new Driver("tomcat", "TomcatServer", "org.apache.coyote.http11.Http11NioProtocol"), Driver.WEB_CLIENTS);
    }
}

package org.exsockets.compat.programs;

/** {@code SSLServerSocket} and {@code SSLSocket} of TLS 1.2 and 1.3, with certificates of both sides. */
final class TlsIT extends ProgramTest {
    TlsIT() {
        super(new Driver("jdk", "TlsServer"), new Driver("jdk", "TlsClient"));
    }
}

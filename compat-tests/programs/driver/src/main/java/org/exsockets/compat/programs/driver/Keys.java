package org.exsockets.compat.programs.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The key and the certificate of this host that both sides have: those of the properties for the JDK's default {@code
 * SSLContext}, for programs that want them otherwise. Stateless.
 */
public final class Keys {
    /** Where they are. */
    public static final String FILE = System.getProperty("javax.net.ssl.keyStore");

    /** What opens them. */
    public static final String PASSWORD = System.getProperty("javax.net.ssl.keyStorePassword");

    private Keys() {}

    /** {@return who this host is} */
    public static KeyManagerFactory identity() throws GeneralSecurityException, IOException {
        KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        identity.init(load(), PASSWORD.toCharArray());
        return identity;
    }

    /** {@return whom to trust: this host} */
    public static TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load());
        return trust;
    }

    private static KeyStore load() throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(FILE))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }
}

package org.exsockets.compat.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * A key and its self-signed certificate for this host, identity and trust of both sides. The build makes one with the JDK's
 * own tool, and leaves it beside the classes of the tests.
 */
public record TestKeys(Path store) {
    public static final String PASSWORD = "changeit";

    /** Puts a copy there. */
    public static TestKeys in(Path directory) throws GeneralSecurityException, IOException {
        Path store = directory.resolve("keys.p12");
        try (InputStream made = TestKeys.class.getResourceAsStream("/keys.p12")) {
            Files.copy(Objects.requireNonNull(made, "keys.p12 was not made: mvn process-test-resources"), store);
        }
        trustOneself(store);
        return new TestKeys(store);
    }

    /** Enters the certificate once more, as one that is trusted: some programs do not trust those that have keys. */
    private static void trustOneself(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = load(store);
        keys.setCertificateEntry("trusted", keys.getCertificate("test"));
        try (OutputStream out = Files.newOutputStream(store)) {
            keys.store(out, PASSWORD.toCharArray());
        }
    }

    private static KeyStore load(Path store) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    /** {@return key and certificate, under {@link #PASSWORD}} */
    public KeyStore load() throws GeneralSecurityException, IOException {
        return load(store);
    }

    /** {@return the options that give them to a JVM's default {@code SSLContext}, and tell drivers where they are} */
    public List<String> options() {
        return List.of(
                "-Djavax.net.ssl.keyStore=" + store,
                "-Djavax.net.ssl.keyStorePassword=" + PASSWORD,
                "-Djavax.net.ssl.trustStore=" + store,
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }

    /** Writes the certificate as others than Java read it, and returns the file. */
    public Path pem(Path directory) throws GeneralSecurityException, IOException {
        byte[] certificate = load().getCertificate("test").getEncoded();
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
        return Files.writeString(
                directory.resolve("certificate.pem"),
                "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n");
    }
}

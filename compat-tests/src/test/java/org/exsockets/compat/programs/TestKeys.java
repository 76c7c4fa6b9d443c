package org.exsockets.compat.programs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A key and its self-signed certificate for this host, made by the JDK's own tool: identity and trust of both sides. */
record TestKeys(Path store) {
    private static final String PASSWORD = "changeit";

    /** Makes new ones. */
    static TestKeys in(Path directory) throws GeneralSecurityException, IOException, InterruptedException {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + printed);
        }
        trustOneself(store);
        return new TestKeys(store);
    }

    /** Enters the certificate once more, as one that is trusted: some programs do not trust those that have keys. */
    private static void trustOneself(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        keys.setCertificateEntry("trusted", keys.getCertificate("test"));
        try (OutputStream out = Files.newOutputStream(store)) {
            keys.store(out, PASSWORD.toCharArray());
        }
    }

    /** {@return the options that give them to a JVM's default {@code SSLContext}, and tell drivers where they are} */
    List<String> options() {
        return List.of(
                "-Djavax.net.ssl.keyStore=" + store,
                "-Djavax.net.ssl.keyStorePassword=" + PASSWORD,
                "-Djavax.net.ssl.trustStore=" + store,
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }

    /** Writes the certificate as others than Java read it, and returns the file. */
    Path pem(Path directory) throws GeneralSecurityException, IOException {
        byte[] certificate = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray())
                .getCertificate("test")
                .getEncoded();
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
        return Files.writeString(
                directory.resolve("certificate.pem"),
                "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n");
    }
}

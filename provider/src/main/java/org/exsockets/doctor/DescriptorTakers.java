package org.exsockets.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.DeviceProvider.Finding.Severity;

/**
 * Finds on a program's class path the libraries that take a socket's descriptor by reflection: connections over EXS have
 * none. Looks into directories, jars, and jars in jars. Used by one thread.
 */
final class DescriptorTakers {
    /** A class of each library, and when it asks. */
    private static final Map<String, String> KNOWN = Map.of(
            "org/conscrypt/ConscryptFileDescriptorSocket.class",
            "Conscrypt takes the descriptor of java.net sockets if it was told not to use its engine sockets",
            "com/wolfssl/WolfSSLSession.class",
            "wolfSSL takes the descriptor of java.net sockets that are given to WolfSSLSession.setFd");

    private static final String ADVICE =
            "Leave the addresses that it serves or connects to to TCP, by a rule (exs.rules)";

    private final Map<String, Finding> findings = new LinkedHashMap<>();

    /**
     * @param classPath as of {@code java -cp}, or the path of a jar
     * @return a finding for each library, and for each element that cannot be read
     */
    static List<Finding> on(String classPath) {
        DescriptorTakers takers = new DescriptorTakers();
        for (String element : classPath.split(":")) {
            try {
                takers.look(element);
            } catch (IOException e) {
                takers.findings.put(
                        element, new Finding(Severity.NOTE, element + " cannot be read: " + e, "Check the class path"));
            }
        }
        if (takers.findings.isEmpty()) {
            return List.of(new Finding(Severity.GOOD, "No library is known to take the descriptors of sockets", ""));
        }
        return new ArrayList<>(takers.findings.values());
    }

    private void look(String element) throws IOException {
        if (element.equals("*") || element.endsWith("/*")) {
            Path directory = Path.of(element.substring(0, element.length() - 1));
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.{jar,JAR}")) {
                for (Path jar : jars) {
                    lookIntoJar(jar);
                }
            }
        } else if (Files.isDirectory(Path.of(element))) {
            for (String known : KNOWN.keySet()) {
                if (Files.exists(Path.of(element, known))) {
                    found(known, element);
                }
            }
        } else {
            lookIntoJar(Path.of(element));
        }
    }

    private void lookIntoJar(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                found(entry.getName(), jar.toString());
                if (entry.getName().endsWith(".jar")) {
                    lookIntoNested(zip.getInputStream(entry), jar + "!/" + entry.getName());
                }
            }
        }
    }

    private void lookIntoNested(InputStream jar, String name) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(jar)) {
            for (ZipEntry entry; (entry = zip.getNextEntry()) != null; ) {
                found(entry.getName(), name);
            }
        }
    }

    private void found(String entry, String where) {
        String asks = KNOWN.get(entry);
        if (asks != null) {
            findings.putIfAbsent(
                    entry, new Finding(Severity.NOTE, asks + "; over EXS there is none (" + where + ")", ADVICE));
        }
    }
}

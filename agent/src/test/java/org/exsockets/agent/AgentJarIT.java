package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

class AgentJarIT {
    private static final String API = "org/exsockets/api/";
    private static final int CLASS_FILE_OF_JAVA_8 = 52;

    @Test
    void showsOnlyTheAgentAndTheEntryPointsToTheProgram() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            List<String> visible = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .filter(name -> !name.startsWith("exs/") && !name.startsWith("META-INF/"))
                    .filter(name -> !name.startsWith("org/exsockets/agent/") && !name.startsWith(API))
                    .sorted()
                    .toList();
            assertEquals(
                    List.of(
                            "org/exsockets/ExsAsynchronousChannelProvider.class",
                            "org/exsockets/ExsSelectorProvider.class",
                            "org/exsockets/ExsSockets.class"),
                    visible);
        }
    }

    /** Programs and what is behind the API must see the same types. */
    @Test
    void showsTheTypesOfTheApiAndHidesNoCopyOfThem() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            assertTrue(jar.getEntry(API + "ExsSocket.class") != null);
            String packed = packed(jar);
            assertTrue(packed.contains("org.exsockets.es.EsApi"));
            assertFalse(packed.contains("org.exsockets.api.ExsSocket"), "names with dots are names of its classes");
            assertFalse(jar.stream().map(ZipEntry::getName).anyMatch(name -> name.startsWith("exs/" + API)));
        }
    }

    @Test
    void hidesClassesByTheirNames() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            assertFalse(jar.stream().map(ZipEntry::getName).anyMatch(name -> name.matches("exs/.*\\.class")));
            assertTrue(packed(jar).contains("org.exsockets.install.Installation"));
            assertTrue(jar.getEntry("exs/hooks/java/net/ExsSocketHook.classdata") != null);
            assertFalse(jar.stream().map(ZipEntry::getName).anyMatch(name -> name.startsWith("META-INF/services/")));
        }
    }

    @Test
    void bringsDisniWithoutItsLogger() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            assertTrue(jar.getEntry("exs/com/ibm/disni/verbs/RdmaCmId.classdata") != null);
            assertTrue(jar.getEntry("exs/org/slf4j/nop/NOPServiceProvider.classdata") != null);
            assertTrue(jar.getEntry("exs/META-INF/services/org.slf4j.spi.SLF4JServiceProvider") != null);
            assertFalse(jar.stream().map(ZipEntry::getName).anyMatch(name -> name.contains("log4j")));
        }
    }

    @Test
    void bringsTheNativeLibrariesOfBothArchitectures() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            for (String architecture : List.of("linux-amd64", "linux-aarch64")) {
                for (String library : List.of("libexspoll.so", "libdisni.so", "libexsverbs.so")) {
                    String name = "exs/native/" + architecture + "/" + library;
                    assertTrue(jar.getEntry(name) != null, name);
                }
            }
        }
    }

    @Test
    void canBeLoadedByAJvmThatIsTooOld() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile());
                DataInputStream in =
                        new DataInputStream(jar.getInputStream(jar.getEntry("org/exsockets/agent/ExsAgent.class")))) {
            in.readInt();
            in.readUnsignedShort();
            assertEquals(CLASS_FILE_OF_JAVA_8, in.readUnsignedShort());
        }
    }

    @Test
    void carriesTheLicencesOfWhatItContains() throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            assertTrue(jar.getEntry("META-INF/LICENSE") != null);
            assertTrue(jar.getEntry("META-INF/NOTICE") != null);
            assertTrue(jar.getEntry("META-INF/licenses/byte-buddy/NOTICE") != null);
            assertTrue(jar.getEntry("META-INF/licenses/disni/LICENSE") != null);
            assertTrue(jar.getEntry("META-INF/licenses/slf4j/LICENSE.txt") != null);
        }
    }

    private static String packed(JarFile jar) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry(TestJars.PACK))) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}

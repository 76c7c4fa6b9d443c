package org.exsockets.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.exsockets.config.SettingsReader;
import org.exsockets.observe.Log;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor prints, and its exit status. Settings come from the environment here. */
class DoctorTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    private int doctor(Map<String, String> environment, String... arguments) {
        return Doctor.run(arguments, environment, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private void assertPrinted(String text) {
        String all = printed.toString(StandardCharsets.UTF_8);
        assertTrue(all.contains(text), all);
    }

    @AfterEach
    void logAsBefore() {
        Log.configure(SettingsReader.defaults());
    }

    @Test
    void withoutRulesAMachineWithoutAdaptersIsWell() {
        assertEquals(Doctor.WELL, doctor(Map.of()));
        assertPrinted("Java " + Runtime.version());
        assertPrinted("\n    exs.buffer=4194304\n");
        assertPrinted("none: shared memory to this host, TCP to others");
        assertPrinted("RDMA adapters (disni): not asked for by settings and rules");
        assertPrinted("MiB of memory may be shared");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", ":80", "host:", "host:0", "host:65536", "host:http", "[::1]:x"})
    void aWrongTargetIsWrongUsage(String target) {
        assertEquals(Doctor.MISUSED, doctor(Map.of(), target));
        assertPrinted("usage: java");
    }

    @Test
    void twoTargetsAreWrongUsage() {
        assertEquals(Doctor.MISUSED, doctor(Map.of(), "127.0.0.1", "127.0.0.2"));
    }

    @ParameterizedTest
    @CsvSource({
        "org/conscrypt/ConscryptFileDescriptorSocket.class, Conscrypt takes the descriptor",
        "com/wolfssl/WolfSSLSession.class, wolfSSL takes the descriptor",
        "org/example/Other.class, No library is known to take"
    })
    void librariesThatTakeDescriptorsAreNamed(String type, String told) throws IOException {
        Path classes = directory.resolve("classes");
        Files.createDirectories(classes.resolve(type).getParent());
        Files.createFile(classes.resolve(type));
        Path libraries = Files.createDirectory(directory.resolve("lib"));
        byte[] jar = jarOf(type, new byte[0]);
        Files.write(libraries.resolve("library.jar"), jar);
        Path whole = Files.write(directory.resolve("whole.jar"), jarOf("BOOT-INF/lib/library.jar", jar));
        for (String path : List.of(classes + "", libraries + "/*", libraries + "/library.jar", whole + "")) {
            printed.reset();
            assertEquals(Doctor.WELL, doctor(Map.of(), "-cp", path));
            assertPrinted(told);
        }
    }

    private static byte[] jarOf(String name, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
        }
        return bytes.toByteArray();
    }

    @Test
    void anUnreadableClassPathIsSaid() {
        assertEquals(Doctor.WELL, doctor(Map.of(), "-cp", directory + "/none.jar:" + directory, "127.0.0.1:80"));
        assertPrinted("none.jar cannot be read");
        assertPrinted("Host 127.0.0.1, port 80");
    }

    @Test
    void aClassPathIsNeeded() {
        assertEquals(Doctor.MISUSED, doctor(Map.of(), "-cp"));
    }

    @Test
    void wrongSettingsAreAProblem() {
        assertEquals(Doctor.ILL, doctor(Map.of("EXS_BUFER", "1m")));
        assertPrinted("did you mean EXS_BUFFER?");
        assertPrinted("1 problem.");
    }

    @Test
    void settingsThatAreNotTheDefaultAreMarked() {
        doctor(Map.of("EXS_BUFFER", "1m", "EXS_DEVICE", "soft"));
        assertPrinted("\n  * exs.buffer=1048576\n");
        assertPrinted("\n  * exs.device=soft\n");
        assertPrinted("\n    exs.retry=30\n");
    }

    @Test
    void everyRuleIsListedAndTheDecidingOneIsNamed() throws IOException {
        Path rules =
                Files.write(directory.resolve("rules"), List.of("", "connect 127.0.0.0/8 80 tcp", "both ::1 * exs"));
        assertEquals(Doctor.WELL, doctor(Map.of("EXS_RULES", rules.toString()), "127.0.0.1:80"));
        assertPrinted("\n    " + rules + ":3: both ::1 * exs\n");
        assertPrinted("A connect to 127.0.0.1:80 would use TCP. A rule of exs.rules asks for TCP. (rule " + rules
                + ":2: connect 127.0.0.0/8 80 tcp)");
    }

    @Test
    void aRuleThatCannotBeFollowedIsAProblem() throws IOException {
        Path rules = Files.write(directory.resolve("rules"), List.of("connect 127.0.0.1 1 exs"));
        assertEquals(Doctor.ILL, doctor(Map.of("EXS_RULES", rules.toString()), "127.0.0.1:1"));
        assertPrinted("  PROBLEM  A connect to 127.0.0.1:1 would use TCP.");
        assertPrinted("-> Start the server with the agent");
    }

    @Test
    void anotherHostIsToldHowToBeReached() {
        assertEquals(Doctor.WELL, doctor(Map.of(), "192.0.2.7:5000"));
        assertPrinted("A connect to 192.0.2.7:5000 would use TCP.");
        assertPrinted("both 192.0.2.7 5000 exs");
        assertPrinted("a listener on 0.0.0.0:5000 serves TCP, shared memory (soft)");
    }

    @Test
    void anIpv6AddressNeedsBracketsOnlyWithAPort() {
        doctor(Map.of(), "::1");
        assertPrinted("Host ::1\n");
        doctor(Map.of(), "[::1]:80");
        assertPrinted("A connect to [0:0:0:0:0:0:0:1]:80 would use TCP.");
    }

    @Test
    void switchedOffMeansNothingIsAskedFor() {
        assertEquals(Doctor.WELL, doctor(Map.of("EXS_ENABLED", "false"), "127.0.0.1:80"));
        assertPrinted("EXS is switched off");
        assertFalse(printed.toString(StandardCharsets.UTF_8).contains("PROBLEM"));
    }
}

package org.exsockets.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void defaultsHoldWhereNothingIsSet() {
        Settings settings = SettingsReader.defaults();
        assertTrue(settings.enabled());
        assertEquals(DeviceChoice.AUTO, settings.device());
        assertTrue(settings.rules().isEmpty());
        assertEquals(4 << 20, settings.bufferBytes());
        assertTrue(settings.nativeCopy());
        assertFalse(settings.dumped());
        assertEquals(0, settings.directBufferBytes());
        assertTrue(settings.spinAuto());
        assertTrue(settings.rehearsal());
        assertTrue(settings.nettyOnNio());
        assertEquals(500, settings.timeoutMs());
        assertEquals(30, settings.retrySeconds());
        assertEquals(0, settings.trafficClass());
        assertEquals(Optional.empty(), settings.nativeDirectory());
        assertEquals(Optional.empty(), settings.foreignDisni());
        assertEquals(Optional.empty(), settings.stats());
        assertEquals(LogLevel.WARN, settings.log().level());
        assertEquals(Optional.empty(), settings.log().file());
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "4k, 4096",
        "4097, 8192",
        "5000, 8192",
        "512k, 524288",
        "600K, 1048576",
        "1m, 1048576",
        "3M, 4194304",
        "64m, 67108864",
        "67108864, 67108864",
        "65535k, 67108864",
    })
    void bufferIsRoundedUpToAPowerOfTwo(String text, int expectedBytes) {
        assertEquals(expectedBytes, property("exs.buffer", text).bufferBytes());
    }

    @ParameterizedTest
    @CsvSource({"off, 0", "OFF, 0", "64k, 65536", "65537, 65537", "1m, 1048576", "1024m, 1073741824"})
    void directBuffersArePlacedFromASizeOn(String text, int expectedBytes) {
        assertEquals(expectedBytes, property("exs.direct.buffers", text).directBufferBytes());
        assertEquals(
                expectedBytes,
                read(Map.of("direct.buffers", text), Map.of(), Map.of()).directBufferBytes());
        assertEquals(
                expectedBytes,
                read(Map.of(), Map.of(), Map.of("EXS_DIRECT_BUFFERS", text)).directBufferBytes());
    }

    @ParameterizedTest
    @CsvSource({
        "'net,nio,aio', 'net,nio,aio'",
        "net, net",
        "'aio,net', 'net,aio'",
        "NIO+aio, 'nio,aio'",
        "'net , net', net"
    })
    void facesAreThoseThatAreNamed(String text, String faces) {
        assertTrue(property("exs.faces", text).lines().contains("exs.faces=" + faces));
    }

    @ParameterizedTest
    @CsvSource({
        "user, user",
        "User, user",
        "any, any",
        "1000, 1000",
        "'1001, user,1000', '1000,1001'",
        "1000+4294967294, '1000,4294967294'",
        "unmapped, unmapped",
        "'user, Unmapped', unmapped",
        "'any,unmapped', 'any,unmapped'",
        "unmapped+any, 'any,unmapped'",
        "unmapped+1000, '1000,unmapped'"
    })
    void peersAreOfTheUsersThatAreNumbered(String text, String peers) {
        Settings settings = property("exs.peers", text);
        assertTrue(settings.lines().contains("exs.peers=" + peers));
        boolean any = peers.startsWith("any");
        assertEquals(peers.contains("1000") || any, settings.peers().test(1000));
        assertEquals(peers.contains("4294967294") || any, settings.peers().test(-2));
        assertEquals(any, settings.peers().test(0));
        assertEquals(peers.contains("unmapped"), settings.peers().test(-1));
    }

    @ParameterizedTest
    @CsvSource({"true, true", "True, true", "false, false"})
    void sharedMemoryCanBeHadInDumps(String text, boolean expected) {
        Settings settings = property("exs.dump", text);
        assertEquals(expected, settings.dumped());
        assertTrue(settings.lines().contains("exs.dump=" + expected));
    }

    @ParameterizedTest
    @CsvSource({"nio, true", "NIO, true", "native, false"})
    void nettyMayKeepItsNativeTransport(String text, boolean expected) {
        Settings settings = property("exs.netty", text);
        assertEquals(expected, settings.nettyOnNio());
        assertTrue(settings.lines().contains("exs.netty=" + (expected ? "nio" : "native")));
    }

    @ParameterizedTest
    @CsvSource({"auto, true", "Auto, true", "ordinary, false", "' ORDINARY ', false"})
    void nativeCopiesCanBeSwitchedOff(String text, boolean expected) {
        assertEquals(expected, property("exs.copy", text).nativeCopy());
    }

    @ParameterizedTest
    @CsvSource({
        "auto, -1",
        "AUTO, -1",
        "0, 0",
        "4096, 4096",
        "64k, 65536",
        "' 3m ', 3145728",
        "999999999m, 1048575998951424"
    })
    void registeredMemoryIsBoundedInBytes(String text, long expected) {
        assertEquals(expected, property("exs.register", text).registeredBytes());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1000", "50, 50000", "auto, -1", "AUTO, -1", "' 7 ', 7000"})
    void spinIsGivenInMicroseconds(String text, long expectedNs) {
        assertEquals(expectedNs, property("exs.spin", text).spinNs());
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "500, 30", "60000, 86400", "' 7 ', 7"})
    void timeoutIsGivenInMillisecondsAndRetryInSeconds(String timeout, String retry) {
        Settings settings = read(Map.of("timeout", timeout, "retry", retry), Map.of(), Map.of());
        assertEquals(Integer.parseInt(timeout.strip()), settings.timeoutMs());
        assertEquals(Integer.parseInt(retry), settings.retrySeconds());
    }

    @Test
    void nativeIsADirectoryAndDisniAFile(@TempDir Path directory) throws IOException {
        Path library = Files.createFile(directory.resolve("libdisni.so"));
        Settings settings =
                read(Map.of("native", directory.toString(), "disni", library.toString()), Map.of(), Map.of());
        assertEquals(Optional.of(directory), settings.nativeDirectory());
        assertEquals(Optional.of(library), settings.foreignDisni());
    }

    @ParameterizedTest
    @CsvSource({
        "auto, AUTO, true, true",
        "soft, SOFT, true, false",
        "disni, DISNI, false, true",
        "None, NONE, false, false"
    })
    void deviceChoosesWhatMayBeUsed(String text, DeviceChoice expected, boolean soft, boolean disni) {
        DeviceChoice device = property("exs.device", text).device();
        assertEquals(expected, device);
        assertEquals(soft, device.allowsSoft());
        assertEquals(disni, device.allowsDisni());
    }

    @ParameterizedTest
    @CsvSource({
        "off, OFF,",
        "error, ERROR,",
        "warn, WARN,",
        "info, INFO,",
        "debug, DEBUG,",
        "debug:/tmp/exs.log, DEBUG, /tmp/exs.log",
        "info:a:b, INFO, a:b"
    })
    void logIsALevelAndPerhapsAFile(String text, LogLevel expectedLevel, String expectedFile) {
        Settings settings = property("exs.log", text);
        assertEquals(expectedLevel, settings.log().level());
        assertEquals(
                Optional.ofNullable(expectedFile).map(Path::of), settings.log().file());
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false", "FALSE, false"})
    void enabledIsABoolean(String text, boolean expected) {
        assertEquals(expected, property("exs.enabled", text).enabled());
    }

    @Test
    void statsGoToStandardErrorOrAFile() {
        assertEquals(StatsTarget.STDERR, property("exs.stats", "stderr").stats().orElseThrow());
        StatsTarget file = property("exs.stats", "/tmp/stats.json").stats().orElseThrow();
        assertEquals(Optional.of(Path.of("/tmp/stats.json")), file.file());
    }

    @Test
    void theAgentOptionWinsOverThePropertyAndThatOverTheEnvironment() {
        Map<String, String> option = Map.of("device", "soft");
        Map<String, String> property = Map.of("exs.device", "disni");
        Map<String, String> environment = Map.of("EXS_DEVICE", "none");
        assertEquals(DeviceChoice.SOFT, read(option, property, environment).device());
        assertEquals(DeviceChoice.DISNI, read(Map.of(), property, environment).device());
        assertEquals(DeviceChoice.NONE, read(Map.of(), Map.of(), environment).device());
    }

    @Test
    void whatIsOverriddenIsNotParsed() {
        Settings settings = read(Map.of("spin", "5"), Map.of("exs.spin", "soon"), Map.of("EXS_SPIN", "later"));
        assertEquals(5_000, settings.spinNs());
    }

    @Test
    void anEmptyEnvironmentVariableIsNotSet() {
        assertEquals(
                Optional.empty(),
                read(Map.of(), Map.of(), Map.of("EXS_STATS", "")).stats());
    }

    @Test
    void namesOutsideOurNameSpaceAreIgnored() {
        read(
                Map.of(),
                Map.of("exs.test.buffer", "x", "exs", "x", "exsx.buffer", "x", "my.exs.buffer", "x"),
                Map.of("EXS_TEST_BUFFER", "x", "EXS", "x", "EXSTRA", "x", "exs_buffer", "x"));
    }

    @Test
    void aMisspeltNameIsReportedWithItsSourceAndTheNearestValidName() {
        assertProblems("""
                1 problem in the EXS settings:
                  agent option bufer: there is no such setting; did you mean buffer?""", Map.of("bufer", "1m"), Map.of(), Map.of());
        assertProblems("""
                1 problem in the EXS settings:
                  system property exs.Stat: there is no such setting; did you mean exs.stats?""", Map.of(), Map.of("exs.Stat", "stderr"), Map.of());
        assertProblems("""
                1 problem in the EXS settings:
                  environment variable EXS_BUFER: there is no such setting; did you mean EXS_BUFFER?""", Map.of(), Map.of(), Map.of("EXS_BUFER", "1m"));
    }

    @Test
    void anAgentOptionUnderItsPropertyNameIsReportedWithItsShortName() {
        assertProblems("""
                1 problem in the EXS settings:
                  agent option exs.spin: there is no such setting; did you mean spin?""", Map.of("exs.spin", "1"), Map.of(), Map.of());
    }

    @Test
    void aNameThatResemblesNoneIsReportedWithAllOfThem() {
        assertProblems("""
                1 problem in the EXS settings:
                  environment variable EXS_HOME: there is no such setting; the settings are \
                EXS_BUFFER, EXS_COPY, EXS_DEVICE, EXS_DIRECT, EXS_DIRECT_BUFFERS, EXS_DISNI, EXS_DUMP, EXS_ENABLED, EXS_FACES, EXS_JMX, EXS_LOG, \
                EXS_MEMORY, EXS_NATIVE, EXS_NETTY, EXS_PEERS, EXS_RDMA_TOS, EXS_REGISTER, EXS_REHEARSAL, EXS_RETRY, \
                EXS_RULES, EXS_SPIN, EXS_STATS, EXS_TIMEOUT""", Map.of(), Map.of(), Map.of("EXS_HOME", "/opt"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exs.enabled | yes      | true or false",
                "exs.enabled | ''       | true or false",
                "exs.device  | rdma     | auto, soft, disni or none",
                "exs.buffer  | 4095     | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.buffer  | 65m      | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.buffer  | 999999999m | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.buffer  | 1g       | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.buffer  | k        | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.buffer  | -1       | a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                "exs.faces   | ''       | net, nio or aio, or several of them with a comma or a plus sign between them",
                "exs.faces   | net,,aio | net, nio or aio, or several of them with a comma or a plus sign between them",
                "exs.faces   | net nio  | net, nio or aio, or several of them with a comma or a plus sign between them",
                "exs.copy    | native   | auto or ordinary",
                "exs.dump    | yes      | true or false",
                "exs.direct  | on       | auto, never or always",
                "exs.register | -1      | auto or a number of bytes, such as 64m; 0 for none",
                "exs.register | all     | auto or a number of bytes, such as 64m; 0 for none",
                "exs.direct.buffers | 65535 | off, or a number of bytes from 64k to 1024m, such as 65536, 512k or 1m",
                "exs.direct.buffers | 1025m | off, or a number of bytes from 64k to 1024m, such as 65536, 512k or 1m",
                "exs.direct.buffers | on    | off, or a number of bytes from 64k to 1024m, such as 65536, 512k or 1m",
                "exs.spin    | -1       | auto or whole microseconds from 0 to 999999999",
                "exs.spin    | 10us     | auto or whole microseconds from 0 to 999999999",
                "exs.spin    | 1.5      | auto or whole microseconds from 0 to 999999999",
                "exs.spin    | 9999999999 | auto or whole microseconds from 0 to 999999999",
                "exs.rehearsal | ''     | true or false",
                "exs.netty   | epoll    | nio or native",
                "exs.jmx     | false    | true or auto",
                "exs.timeout | 0        | whole milliseconds from 1 to 60000",
                "exs.timeout | 60001    | whole milliseconds from 1 to 60000",
                "exs.timeout | 500ms    | whole milliseconds from 1 to 60000",
                "exs.retry   | -1       | whole seconds from 0 to 86400",
                "exs.retry   | 86401    | whole seconds from 0 to 86400",
                "exs.rdma.tos | 256     | whole numbers from 0 to 255",
                "exs.native  | ''       | the path of a directory that exists",
                "exs.native  | /no/such | the path of a directory that exists",
                "exs.disni   | /no/such | the path of an installed libdisni.so",
                "exs.disni   | /tmp     | the path of an installed libdisni.so",
                "exs.stats   | ''       | stderr or the path of a file",
                "exs.rules   | ''       | the path of a file",
                "exs.peers   | ''       | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | root     | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | 1000,    | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | any,1000 | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | -1       | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | 4294967295 | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.peers   | 12345678901 | user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                "exs.log     | verbose  | off, error, warn, info or debug, with :FILE after it if wanted",
                "exs.log     | debug:   | off, error, warn, info or debug, with :FILE after it if wanted",
                "exs.log     | /tmp/log | off, error, warn, info or debug, with :FILE after it if wanted",
            })
    void aBadValueIsReportedWithWhatWasExpected(String name, String text, String expected) {
        assertProblems(
                "1 problem in the EXS settings:\n  system property " + name + "=" + text + ": expected " + expected,
                Map.of(),
                Map.of(name, text),
                Map.of());
    }

    @Test
    void anAgentOptionWithoutAValueIsBad() {
        Map<String, String> options = new HashMap<>();
        options.put("enabled", null);
        assertProblems("""
                1 problem in the EXS settings:
                  agent option enabled=: expected true or false""", options, Map.of(), Map.of());
    }

    @Test
    void allProblemsAreReportedAtOnce(@TempDir Path directory) throws IOException {
        Path rules = directory.resolve("exs.rules");
        Files.writeString(rules, "connect * 80 maybe\nboth 10.0.0.0/40 * exs\n");
        assertProblems(
                """
                6 problems in the EXS settings:
                  agent option bufer: there is no such setting; did you mean buffer?
                  system property exs.device_: there is no such setting; did you mean exs.device?
                  agent option enabled=on: expected true or false
                  %1$s:1:14: found maybe, expected exs or tcp
                  %1$s:2:6: found 10.0.0.0/40, expected a prefix length from 0 to 32
                  environment variable EXS_SPIN=x: expected auto or whole microseconds from 0 to 999999999""".formatted(rules),
                Map.of("bufer", "1m", "enabled", "on"),
                Map.of("exs.device_", "soft", "exs.rules", rules.toString()),
                Map.of("EXS_SPIN", "x"));
    }

    @Test
    void theRulesAreReadFromTheirFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("exs.rules");
        Files.writeString(file, "# all but the database\nconnect * 5432 tcp\n");
        TransportRules rules = property("exs.rules", file.toString()).rules();
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        assertEquals(Verdict.TCP, rules.evaluate(RuleDirection.CONNECT, loopback, 5432, Face.NET));
        assertEquals(Verdict.DEFAULT, rules.evaluate(RuleDirection.CONNECT, loopback, 5433, Face.NET));
    }

    @Test
    void aMissingRulesFileIsReported() {
        assertProblems("""
                1 problem in the EXS settings:
                  system property exs.rules=/no/such/file: cannot read the rules: there is no such file""", Map.of(), Map.of("exs.rules", "/no/such/file"), Map.of());
    }

    @Test
    void aRulesFileThatIsNotTextIsReported(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("exs.rules");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertProblems(
                "1 problem in the EXS settings:\n  system property exs.rules=" + file
                        + ": cannot read the rules: it is not UTF-8 text",
                Map.of(),
                Map.of("exs.rules", file.toString()),
                Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "enabled",
                "device",
                "rules",
                "buffer",
                "copy",
                "dump",
                "direct.buffers",
                "spin",
                "rehearsal",
                "netty",
                "jmx",
                "timeout",
                "retry",
                "rdma.tos",
                "native",
                "disni",
                "stats",
                "log"
            })
    void everySettingHasThreeNames(String name) {
        Setting setting = Setting.valueOf(name.toUpperCase(Locale.ROOT).replace('.', '_'));
        assertEquals(name, setting.nameIn(Setting.Source.OPTION));
        assertEquals("exs." + name, setting.nameIn(Setting.Source.PROPERTY));
        assertEquals("EXS_" + setting.name(), setting.nameIn(Setting.Source.ENVIRONMENT));
    }

    private static Settings property(String name, String text) {
        return read(Map.of(), Map.of(name, text), Map.of());
    }

    private static Settings read(
            Map<String, String> options, Map<String, String> properties, Map<String, String> environment) {
        Properties all = new Properties();
        all.putAll(properties);
        return SettingsReader.read(options, all, environment);
    }

    private static void assertProblems(
            String expected,
            Map<String, String> options,
            Map<String, String> properties,
            Map<String, String> environment) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> read(options, properties, environment));
        assertEquals(expected, thrown.getMessage());
    }
}

package org.exsockets.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.exsockets.config.Face;
import org.exsockets.config.LogLevel;
import org.exsockets.config.RuleDirection;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private LineSink former;

    @BeforeEach
    void capture() {
        former = Log.replace(LogLevel.WARN, new LineSink(out));
    }

    @AfterEach
    void restore() {
        Log.replace(LogLevel.WARN, former);
    }

    @ParameterizedTest
    @CsvSource({"OFF, ''", "ERROR, e", "WARN, ew", "INFO, ewi", "DEBUG, ewid"})
    void aLevelShowsItselfAndAllGraverOnes(LogLevel level, String expected) {
        Log.replace(level, new LineSink(out));
        Log.error("e");
        Log.warn("w");
        Log.info("i");
        Log.debug("d");
        assertEquals(expected, text().replaceAll("exs: [a-z]+: |\n", ""));
        assertEquals(level.compareTo(LogLevel.DEBUG) >= 0, Log.debugEnabled());
    }

    @Test
    void aLineNamesTheProductAndTheLevel() {
        Log.warn("the cable is gone");
        Log.error("so is the card");
        assertEquals("exs: warn: the cable is gone\nexs: error: so is the card\n", text());
    }

    @Test
    void aCauseIsPartOfTheLine() {
        Log.warn("cannot map", new IOException("No space left on device"));
        assertEquals("exs: warn: cannot map: java.io.IOException: No space left on device\n", text());
    }

    @Test
    void whatAPeerSaysIsOneLineAndDoesNothingToATerminal() {
        Log.warn("hello: segment=s\nexs: error: \u001b[2J", new IOException("a\rb\u0085"));
        assertEquals(
                "exs: warn: hello: segment=s\\x0aexs: error: \\x1b[2J: java.io.IOException: a\\x0db\\x85\n", text());
    }

    @Test
    void aCauseHasItsStackTraceWhereDebugIsEnabled() {
        Log.replace(LogLevel.DEBUG, new LineSink(out));
        Log.warn("cannot map", new IOException("No space left on device"));
        assertTrue(text().startsWith("exs: warn: cannot map: java.io.IOException: No space left on device\n    at "));
    }

    @Test
    void aWarningMayBeGivenOncePerKey() {
        Log.warnOnce("LogTest.a", "first");
        Log.warnOnce("LogTest.a", "second");
        Log.warnOnce("LogTest.b", "third");
        assertEquals("exs: warn: first\nexs: warn: third\n", text());
    }

    @Test
    void aTargetThatFailsIsNoProblemOfTheCaller() {
        Log.replace(LogLevel.WARN, new LineSink(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("closed");
            }
        }));
        Log.warn("nobody hears this");
        Log.warn(null);
        Log.warn(null, null);
    }

    @Test
    void aCauseThatCannotBePrintedIsNoProblemOfTheCaller() {
        Log.error("a task", new Error() {
            @Override
            public String toString() {
                throw this;
            }
        });
    }

    @Test
    void theSettingsChooseLevelAndFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("exs.log");
        Files.writeString(file, "already here\n");
        Log.configure(log("info:" + file));
        Log.info("hello");
        Log.debug("not this");
        assertEquals("already here\nexs: info: hello\n", Files.readString(file));
    }

    @Test
    void aFileThatCannotBeWrittenIsReportedWhereTheLogWentSoFar(@TempDir Path directory) {
        Log.configure(log("error:" + directory));
        assertFalse(text().contains("exs.log"), "a level of error hides the warning");
        Log.configure(log("warn:" + directory));
        assertTrue(
                text().startsWith("exs: warn: exs.log: cannot write to " + directory + ", logging to standard error: "),
                text());
    }

    @Test
    void namesThatRulesCannotResolveAreWarnedAbout(@TempDir Path directory) throws IOException {
        Path rules = directory.resolve("rules");
        Files.writeString(rules, "both no..host * exs\n");
        Settings settings = SettingsReader.read(Map.of("rules", rules.toString()), new Properties(), Map.of());
        Log.configure(settings);
        settings.rules().evaluate(RuleDirection.CONNECT, InetAddress.getLoopbackAddress(), 80, Face.NET);
        assertEquals(
                "exs: warn: " + rules + ":1:6: host name no..host cannot be resolved; the rule matches nothing\n",
                text());
    }

    private static Settings log(String text) {
        return SettingsReader.read(Map.of("log", text), new Properties(), Map.of());
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}

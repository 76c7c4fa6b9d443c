package org.exsockets.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns the text of each setting into its value and collects the problems. Used by one thread, once.
 *
 * <p>A setting with a malformed text yields its default, so that the remaining ones are still checked. This runs before
 * every program's main method. The path without problems therefore uses no lambdas, streams, regular expressions,
 * string concatenation or switches over enums: the first use of each costs milliseconds, or loads a class.
 */
public final class SettingsReader {
    private static final int DEFAULT_BUFFER_BYTES = 4 << 20;
    private static final int MIN_BUFFER_BYTES = 4 << 10;
    private static final int MAX_BUFFER_BYTES = 64 << 20;
    private static final int MIN_DIRECT_BUFFER_BYTES = 64 << 10;
    private static final int MAX_DIRECT_BUFFER_BYTES = 1 << 30;
    private static final int DEFAULT_TIMEOUT_MS = 500;
    private static final int MAX_TIMEOUT_MS = 60_000;
    private static final int DEFAULT_RETRY_SECONDS = 30;
    private static final int MAX_RETRY_SECONDS = 86_400;
    private static final int MAX_TRAFFIC_CLASS = 255;

    private final Map<String, String> options;
    private final Properties properties;
    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();

    private SettingsReader(Map<String, String> options, Properties properties, Map<String, String> environment) {
        this.options = options;
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * Reads and checks all settings, and the rules file if one is named.
     *
     * <p>Every agent option, every property that starts with {@code exs.} (but {@code exs.test.}) and every environment
     * variable that starts with {@code EXS_} (but {@code EXS_TEST_}) must be a known setting. An environment variable
     * with an empty value counts as not set.
     *
     * @param options agent options by short name; a null value counts as empty
     * @param properties all system properties
     * @param environment all environment variables
     * @return the settings
     * @throws IllegalArgumentException if anything is misspelt, malformed or unreadable; the message lists all
     *     problems, one per line, and is meant for the user
     */
    public static Settings read(Map<String, String> options, Properties properties, Map<String, String> environment) {
        SettingsReader reader = new SettingsReader(options, properties, environment);
        reader.findUnknown(Setting.Source.OPTION, options.keySet());
        reader.findUnknown(Setting.Source.PROPERTY, properties.stringPropertyNames());
        reader.findUnknown(Setting.Source.ENVIRONMENT, environment.keySet());
        Settings settings = reader.settings();
        reader.throwIfProblems();
        return settings;
    }

    /** {@return the settings of a JVM in which nothing is set} */
    public static Settings defaults() {
        return read(Map.of(), new Properties(), Map.of());
    }

    /** {@return the defaults with EXS switched off} */
    public static Settings disabled() {
        return read(Map.of("enabled", "false"), new Properties(), Map.of());
    }

    /** {@return the defaults without a log: what a command says is its output} */
    public static Settings silent() {
        return read(Map.of("log", "off"), new Properties(), Map.of());
    }

    private void findUnknown(Setting.Source source, Set<String> names) {
        Set<String> valid = new TreeSet<>();
        for (Setting setting : Setting.values()) {
            valid.add(setting.nameIn(source));
        }
        Set<String> unknown = new TreeSet<>();
        for (String name : names) {
            if (source.claims(name) && !valid.contains(name)) {
                unknown.add(name);
            }
        }
        for (String name : unknown) {
            String nearest = nearest(name, valid);
            String advice =
                    nearest != null ? "did you mean " + nearest + "?" : "the settings are " + String.join(", ", valid);
            problems.add(source.label() + " " + name + ": there is no such setting; " + advice);
        }
    }

    /** {@return the valid name nearest to {@code given}; null if none shares at least half of its letters} */
    private static @Nullable String nearest(String given, Collection<String> valid) {
        String nearest = null;
        int nearestDistance = Integer.MAX_VALUE;
        for (String candidate : valid) {
            int distance = editDistance(bare(given), bare(candidate));
            if (distance < nearestDistance && 2 * distance <= bare(candidate).length()) {
                nearest = candidate;
                nearestDistance = distance;
            }
        }
        return nearest;
    }

    /** Removes the name space: all candidates share it, and would look near. */
    private static String bare(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("exs.") || lower.startsWith("exs_") ? lower.substring(4) : lower;
    }

    private static int editDistance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }

    private void throwIfProblems() {
        if (problems.isEmpty()) {
            return;
        }
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        throw new IllegalArgumentException(count + " in the EXS settings:\n  " + String.join("\n  ", problems));
    }

    /** {@return the settings; problems are found in the order of {@link Setting}, as arguments are evaluated} */
    private Settings settings() {
        return new Settings(
                either(Setting.ENABLED, "true", "false", true),
                faces(),
                constant(Setting.DEVICE, DeviceChoice.values(), "auto, soft, disni or none", DeviceChoice.AUTO),
                rules(),
                peers(),
                bufferBytes(),
                bytesOrAuto(Setting.MEMORY),
                either(Setting.COPY, "auto", "ordinary", true),
                either(Setting.DUMP, "true", "false", false),
                bytesOrAuto(Setting.REGISTER),
                directBufferBytes(),
                constant(Setting.DIRECT, DirectMode.values(), "auto, never or always", DirectMode.AUTO),
                spinNs(),
                either(Setting.REHEARSAL, "true", "false", true),
                either(Setting.NETTY, "nio", "native", true),
                either(Setting.JMX, "true", "auto", false),
                wholeNumber(Setting.TIMEOUT, 1, MAX_TIMEOUT_MS, "milliseconds", DEFAULT_TIMEOUT_MS),
                wholeNumber(Setting.RETRY, 0, MAX_RETRY_SECONDS, "seconds", DEFAULT_RETRY_SECONDS),
                wholeNumber(Setting.RDMA_TOS, 0, MAX_TRAFFIC_CLASS, "numbers", 0),
                existing(Setting.NATIVE, true, "the path of a directory that exists"),
                existing(Setting.DISNI, false, "the path of an installed libdisni.so"),
                stats(),
                log());
    }

    private boolean either(Setting setting, String yes, String no, boolean standIn) {
        Given given = find(setting);
        if (given == null) {
            return standIn;
        }
        boolean isYes = given.text.equalsIgnoreCase(yes);
        return isYes || given.text.equalsIgnoreCase(no) ? isYes : bad(given, yes + " or " + no, standIn);
    }

    private <E extends Enum<E>> E constant(Setting setting, E[] constants, String expected, E standIn) {
        Given given = find(setting);
        if (given == null) {
            return standIn;
        }
        E constant = constant(constants, given.text);
        return constant != null ? constant : bad(given, expected, standIn);
    }

    /** Commas separate agent options, so plus signs separate faces, too. */
    private Set<Face> faces() {
        Set<Face> all = EnumSet.allOf(Face.class);
        Given given = find(Setting.FACES);
        if (given == null) {
            return all;
        }
        Set<Face> faces = Face.parse(given.text.toLowerCase(Locale.ROOT), "\\s*[,+]\\s*");
        return faces != null
                ? faces
                : bad(given, "net, nio or aio, or several of them with a comma or a plus sign between them", all);
    }

    private Peers peers() {
        Given given = find(Setting.PEERS);
        if (given == null) {
            return Peers.OWN;
        }
        Peers peers = Peers.parse(given.text.toLowerCase(Locale.ROOT));
        return peers != null
                ? peers
                : bad(
                        given,
                        "user, any, unmapped, or numbers of users, with a comma or a plus sign between them",
                        Peers.OWN);
    }

    private int bufferBytes() {
        Given given = find(Setting.BUFFER);
        if (given == null) {
            return DEFAULT_BUFFER_BYTES;
        }
        long bytes = sizeBytes(given.text);
        if (bytes < MIN_BUFFER_BYTES || bytes > MAX_BUFFER_BYTES) {
            return bad(given, "a number of bytes from 4k to 64m, such as 65536, 512k or 1m", DEFAULT_BUFFER_BYTES);
        }
        int below = Integer.highestOneBit((int) bytes);
        return below == bytes ? below : below << 1;
    }

    private long bytesOrAuto(Setting setting) {
        Given given = find(setting);
        if (given == null || given.text.equalsIgnoreCase("auto")) {
            return Settings.BYTES_AUTO;
        }
        long bytes = sizeBytes(given.text);
        return bytes >= 0
                ? bytes
                : bad(given, "auto or a number of bytes, such as 64m; 0 for none", Settings.BYTES_AUTO);
    }

    private int directBufferBytes() {
        Given given = find(Setting.DIRECT_BUFFERS);
        if (given == null || given.text.equalsIgnoreCase("off")) {
            return 0;
        }
        long bytes = sizeBytes(given.text);
        return bytes >= MIN_DIRECT_BUFFER_BYTES && bytes <= MAX_DIRECT_BUFFER_BYTES
                ? (int) bytes
                : bad(given, "off, or a number of bytes from 64k to 1024m, such as 65536, 512k or 1m", 0);
    }

    private long spinNs() {
        Given given = find(Setting.SPIN);
        if (given == null || given.text.equalsIgnoreCase("auto")) {
            return Settings.SPIN_AUTO;
        }
        long spinMicros = number(given.text);
        return spinMicros >= 0
                ? spinMicros * 1_000
                : bad(given, "auto or whole microseconds from 0 to 999999999", Settings.SPIN_AUTO);
    }

    private int wholeNumber(Setting setting, int min, int max, String unit, int standIn) {
        Given given = find(setting);
        if (given == null) {
            return standIn;
        }
        long number = number(given.text);
        return number >= min && number <= max
                ? (int) number
                : bad(given, "whole " + unit + " from " + min + " to " + max, standIn);
    }

    private Optional<Path> existing(Setting setting, boolean directory, String expected) {
        Given given = find(setting);
        if (given == null) {
            return Optional.empty();
        }
        Path path = path(given.text);
        if (path == null || !(directory ? Files.isDirectory(path) : Files.isRegularFile(path))) {
            return bad(given, expected, Optional.empty());
        }
        return Optional.of(directory ? path : path.toAbsolutePath());
    }

    private Optional<StatsTarget> stats() {
        Given given = find(Setting.STATS);
        if (given == null) {
            return Optional.empty();
        }
        if (given.text.equalsIgnoreCase("stderr")) {
            return Optional.of(StatsTarget.STDERR);
        }
        Path file = path(given.text);
        return file != null
                ? Optional.of(new StatsTarget(Optional.of(file)))
                : bad(given, "stderr or the path of a file", Optional.empty());
    }

    private Settings.LogTarget log() {
        Given given = find(Setting.LOG);
        if (given == null) {
            return Settings.LogTarget.DEFAULT;
        }
        int colon = given.text.indexOf(':');
        LogLevel level = constant(LogLevel.values(), colon < 0 ? given.text : given.text.substring(0, colon));
        Path file = colon < 0 ? null : path(given.text.substring(colon + 1));
        if (level == null || (colon >= 0 && file == null)) {
            return bad(
                    given,
                    "off, error, warn, info or debug, with :FILE after it if wanted",
                    Settings.LogTarget.DEFAULT);
        }
        return new Settings.LogTarget(level, Optional.ofNullable(file));
    }

    private TransportRules rules() {
        Given given = find(Setting.RULES);
        if (given == null) {
            return TransportRules.NONE;
        }
        Path file = path(given.text);
        if (file == null) {
            return bad(given, "the path of a file", TransportRules.NONE);
        }
        try {
            RulesParser parser = new RulesParser(file.toString());
            TransportRules rules = parser.parse(Files.readAllLines(file, StandardCharsets.UTF_8));
            problems.addAll(parser.problems());
            return rules;
        } catch (IOException e) {
            problems.add(given + ": cannot read the rules: " + reason(e));
            return TransportRules.NONE;
        }
    }

    private <T> T bad(Given given, String expected, T standIn) {
        problems.add(given + ": expected " + expected);
        return standIn;
    }

    private @Nullable Given find(Setting setting) {
        for (Setting.Source source : Setting.Source.values()) {
            String name = setting.nameIn(source);
            String text = text(source, name);
            if (text != null) {
                return new Given(source, name, text.strip());
            }
        }
        return null;
    }

    /** {@return null: not set} */
    private @Nullable String text(Setting.Source source, String name) {
        if (source == Setting.Source.OPTION) {
            return options.containsKey(name) && options.get(name) == null ? "" : options.get(name);
        }
        String text = source == Setting.Source.PROPERTY ? properties.getProperty(name) : environment.get(name);
        return source == Setting.Source.ENVIRONMENT && text != null && text.isEmpty() ? null : text;
    }

    /** {@return the bytes that {@code text} stands for, or -1} */
    private static long sizeBytes(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        int shift = switch (text.charAt(text.length() - 1)) {
            case 'k', 'K' -> 10;
            case 'm', 'M' -> 20;
            default -> 0;
        };
        long number = number(shift == 0 ? text : text.substring(0, text.length() - 1));
        return number < 0 ? -1 : number << shift;
    }

    /** {@return the number of at most nine decimal digits in {@code text}, or -1} */
    private static long number(String text) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return text.isEmpty() || text.length() > 9 ? -1 : number;
    }

    private static <E extends Enum<E>> @Nullable E constant(E[] constants, String text) {
        for (E constant : constants) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        return null;
    }

    private static @Nullable Path path(String text) {
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        return String.valueOf(e.getMessage());
    }

    /** A setting's text and where it was found; prints as the start of a problem. */
    private record Given(Setting.Source source, String name, String text) {
        @Override
        public String toString() {
            return source.label() + " " + name + "=" + text;
        }
    }
}

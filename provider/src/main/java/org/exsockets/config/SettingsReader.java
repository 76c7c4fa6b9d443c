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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Turns the text of each setting into its value and collects the problems. Used by one thread, once.
 *
 * <p>A setting with a malformed text yields its default, so that the remaining ones are still checked. The caller must
 * end with {@link #throwIfProblems}. This runs before every program's main method. The path without problems therefore
 * uses no lambdas, streams, regular expressions or string concatenation: the first use of each costs milliseconds.
 */
final class SettingsReader {
    private final Map<String, String> options;
    private final UnaryOperator<String> property;
    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();

    SettingsReader(Map<String, String> options, UnaryOperator<String> property, Map<String, String> environment) {
        this.options = options;
        this.property = property;
        this.environment = environment;
    }

    void findUnknown(Setting.Source source, Set<String> names) {
        Set<String> valid = new TreeSet<>();
        for (Setting setting : Setting.values()) {
            valid.add(setting.nameIn(source));
        }
        for (String name : new TreeSet<>(names)) {
            if (source.claims(name) && !valid.contains(name)) {
                String nearest = NearestName.of(name, valid);
                String advice = nearest != null
                        ? "did you mean " + nearest + "?"
                        : "the settings are " + String.join(", ", valid);
                problems.add(source.label() + " " + name + ": there is no such setting; " + advice);
            }
        }
    }

    void throwIfProblems() {
        if (problems.isEmpty()) {
            return;
        }
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        throw new IllegalArgumentException(count + " in the EXS settings:\n  " + String.join("\n  ", problems));
    }

    boolean enabled() {
        Given given = find(Setting.ENABLED);
        if (given == null || given.text.equalsIgnoreCase("true")) {
            return true;
        }
        return given.text.equalsIgnoreCase("false") ? false : bad(given, "true or false", true);
    }

    /** Commas separate agent options, so plus signs separate faces, too. */
    Set<Face> faces() {
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

    DeviceChoice device() {
        Given given = find(Setting.DEVICE);
        if (given == null) {
            return DeviceChoice.AUTO;
        }
        DeviceChoice device = constant(DeviceChoice.values(), given.text);
        return device != null ? device : bad(given, "auto, soft, disni or none", DeviceChoice.AUTO);
    }

    Peers peers() {
        Given given = find(Setting.PEERS);
        if (given == null) {
            return Peers.OWN;
        }
        Peers peers = Peers.parse(given.text.toLowerCase(Locale.ROOT));
        return peers != null
                ? peers
                : bad(given, "user, any, or numbers of users with a comma or a plus sign between them", Peers.OWN);
    }

    int bufferBytes() {
        Given given = find(Setting.BUFFER);
        if (given == null) {
            return Settings.DEFAULT_BUFFER_BYTES;
        }
        long bytes = sizeBytes(given.text);
        if (bytes < Settings.MIN_BUFFER_BYTES || bytes > Settings.MAX_BUFFER_BYTES) {
            return bad(
                    given,
                    "a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                    Settings.DEFAULT_BUFFER_BYTES);
        }
        int below = Integer.highestOneBit((int) bytes);
        return below == bytes ? below : below << 1;
    }

    long sharedBytes() {
        return bytesOrAuto(Setting.MEMORY);
    }

    boolean nativeCopy() {
        Given given = find(Setting.COPY);
        if (given == null || given.text.equalsIgnoreCase("auto")) {
            return true;
        }
        return given.text.equalsIgnoreCase("ordinary") ? false : bad(given, "auto or ordinary", true);
    }

    long registeredBytes() {
        return bytesOrAuto(Setting.REGISTER);
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

    int directBufferBytes() {
        Given given = find(Setting.DIRECT_BUFFERS);
        if (given == null || given.text.equalsIgnoreCase("off")) {
            return 0;
        }
        long bytes = sizeBytes(given.text);
        return bytes >= Settings.MIN_DIRECT_BUFFER_BYTES && bytes <= Settings.MAX_DIRECT_BUFFER_BYTES
                ? (int) bytes
                : bad(given, "off, or a number of bytes from 64k to 1024m, such as 65536, 512k or 1m", 0);
    }

    DirectMode direct() {
        Given given = find(Setting.DIRECT);
        if (given == null) {
            return DirectMode.AUTO;
        }
        DirectMode mode = constant(DirectMode.values(), given.text);
        return mode != null ? mode : bad(given, "auto, never or always", DirectMode.AUTO);
    }

    long spinNs() {
        Given given = find(Setting.SPIN);
        if (given == null || given.text.equalsIgnoreCase("auto")) {
            return Settings.SPIN_AUTO;
        }
        long spinMicros = number(given.text);
        return spinMicros >= 0
                ? spinMicros * 1_000
                : bad(given, "auto or whole microseconds from 0 to 999999999", Settings.SPIN_AUTO);
    }

    int timeoutMs() {
        return wholeNumber(Setting.TIMEOUT, 1, Settings.MAX_TIMEOUT_MS, "milliseconds", Settings.DEFAULT_TIMEOUT_MS);
    }

    int retrySeconds() {
        return wholeNumber(Setting.RETRY, 0, Settings.MAX_RETRY_SECONDS, "seconds", Settings.DEFAULT_RETRY_SECONDS);
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

    Path nativeDirectory() {
        Given given = find(Setting.NATIVE);
        if (given == null) {
            return null;
        }
        Path directory = path(given.text);
        return directory != null && Files.isDirectory(directory)
                ? directory
                : bad(given, "the path of a directory that exists", null);
    }

    Path foreignDisni() {
        Given given = find(Setting.DISNI);
        if (given == null) {
            return null;
        }
        Path library = path(given.text);
        return library != null && Files.isRegularFile(library)
                ? library.toAbsolutePath()
                : bad(given, "the path of an installed libdisni.so", null);
    }

    StatsTarget stats() {
        Given given = find(Setting.STATS);
        if (given == null) {
            return null;
        }
        if (given.text.equalsIgnoreCase("stderr")) {
            return StatsTarget.STDERR;
        }
        Path file = path(given.text);
        return file != null ? StatsTarget.file(file) : bad(given, "stderr or the path of a file", null);
    }

    LogTarget log() {
        Given given = find(Setting.LOG);
        if (given == null) {
            return LogTarget.DEFAULT;
        }
        int colon = given.text.indexOf(':');
        LogLevel level = constant(LogLevel.values(), colon < 0 ? given.text : given.text.substring(0, colon));
        Path file = colon < 0 ? null : path(given.text.substring(colon + 1));
        if (level == null || (colon >= 0 && file == null)) {
            return bad(
                    given, "off, error, warn, info, debug or trace, with :FILE after it if wanted", LogTarget.DEFAULT);
        }
        return new LogTarget(level, file);
    }

    TransportRules rules() {
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

    private Given find(Setting setting) {
        for (Setting.Source source : Setting.Source.values()) {
            String name = setting.nameIn(source);
            String text = switch (source) {
                case OPTION -> options.containsKey(name) && options.get(name) == null ? "" : options.get(name);
                case PROPERTY -> property.apply(name);
                case ENVIRONMENT -> emptyToNull(environment.get(name));
            };
            if (text != null) {
                return new Given(source, name, text.strip());
            }
        }
        return null;
    }

    private static String emptyToNull(String text) {
        return text == null || text.isEmpty() ? null : text;
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

    private static <E extends Enum<E>> E constant(E[] constants, String text) {
        for (E constant : constants) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        return null;
    }

    private static Path path(String text) {
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
        return e.getMessage();
    }

    /** The two parts of {@code exs.log}; a null file stands for standard error. */
    record LogTarget(LogLevel level, Path file) {
        static final LogTarget DEFAULT = new LogTarget(LogLevel.WARN, null);
    }

    /** A setting's text and where it was found; prints as the start of a problem. */
    private record Given(Setting.Source source, String name, String text) {
        @Override
        public String toString() {
            return source.label() + " " + name + "=" + text;
        }
    }
}

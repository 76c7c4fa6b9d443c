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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns the text of each setting into its value and collects what is wrong on the way. Used by one thread, once.
 *
 * <p>A setting whose text is bad yields its default, so that the remaining ones are still checked; the caller must end
 * with {@link #throwIfProblems}.
 */
final class SettingsReader {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kKmM]?)");
    private static final Pattern MICROSECONDS = Pattern.compile("[0-9]{1,9}");

    private final Map<String, String> options;
    private final UnaryOperator<String> property;
    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();

    private LogLevel logLevel = LogLevel.WARN;
    private Path logFile;

    SettingsReader(Map<String, String> options, UnaryOperator<String> property, Map<String, String> environment) {
        this.options = options;
        this.property = property;
        this.environment = environment;
    }

    void findUnknown(Setting.Source source, Set<String> names) {
        Set<String> valid = Arrays.stream(Setting.values())
                .map(setting -> setting.nameIn(source))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : new TreeSet<>(names)) {
            if (source.claims(name) && !valid.contains(name)) {
                problems.add(source.label() + " " + name + ": there is no such setting; "
                        + NearestName.of(name, valid)
                                .map(nearest -> "did you mean " + nearest + "?")
                                .orElse("the settings are " + String.join(", ", valid)));
            }
        }
    }

    void throwIfProblems() {
        if (problems.isEmpty()) {
            return;
        }
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        throw new IllegalArgumentException(
                count + " in the EXS settings:" + problems.stream().collect(Collectors.joining("\n  ", "\n  ", "")));
    }

    boolean enabled() {
        return parse(Setting.ENABLED, true, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        });
    }

    DeviceChoice device() {
        return parse(
                Setting.DEVICE,
                DeviceChoice.AUTO,
                "auto, soft, disni or none",
                text -> constant(DeviceChoice.values(), text));
    }

    int bufferBytes() {
        return parse(
                Setting.BUFFER,
                Settings.DEFAULT_BUFFER_BYTES,
                "a number of bytes from 4k to 64m, such as 65536, 512k or 1m",
                SettingsReader::bufferBytes);
    }

    long spinNs() {
        return parse(Setting.SPIN, Settings.SPIN_AUTO, "auto or a whole number of microseconds from 0", text -> {
            if (text.equalsIgnoreCase("auto")) {
                return Settings.SPIN_AUTO;
            }
            return MICROSECONDS.matcher(text).matches() ? Long.parseLong(text) * 1_000 : null;
        });
    }

    StatsTarget stats() {
        return parse(Setting.STATS, null, "stderr or the path of a file", text -> {
            if (text.equalsIgnoreCase("stderr")) {
                return StatsTarget.STDERR;
            }
            Path file = path(text);
            return file == null ? null : StatsTarget.file(file);
        });
    }

    LogLevel logLevel() {
        parse(Setting.LOG, null, "off, error, warn, info, debug or trace, with :FILE after it if wanted", text -> {
            int colon = text.indexOf(':');
            LogLevel level = constant(LogLevel.values(), colon < 0 ? text : text.substring(0, colon));
            Path file = colon < 0 ? null : path(text.substring(colon + 1));
            if (level == null || (colon >= 0 && file == null)) {
                return null;
            }
            logLevel = level;
            logFile = file;
            return level;
        });
        return logLevel;
    }

    /** {@return the file part of {@code exs.log}, once {@link #logLevel} has been called} */
    Path logFile() {
        return logFile;
    }

    Rules rules() {
        Path file = parse(Setting.RULES, null, "the path of a file", SettingsReader::path);
        if (file == null) {
            return Rules.NONE;
        }
        try {
            RulesParser parser = new RulesParser(file.toString());
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            Rules rules = parser.parse(lines);
            problems.addAll(parser.problems());
            return rules;
        } catch (IOException e) {
            problems.add(find(Setting.RULES) + ": cannot read the rules: " + reason(e));
            return Rules.NONE;
        }
    }

    private <T> T parse(Setting setting, T absent, String expected, Function<String, T> parser) {
        Given given = find(setting);
        if (given == null) {
            return absent;
        }
        T value = parser.apply(given.text.strip());
        if (value == null) {
            problems.add(given + ": expected " + expected);
            return absent;
        }
        return value;
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
                return new Given(source, name, text);
            }
        }
        return null;
    }

    private static String emptyToNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static Integer bufferBytes(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int shift = switch (matcher.group(2)) {
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            default -> 0;
        };
        long bytes = Long.parseLong(matcher.group(1)) << shift;
        if (bytes < Settings.MIN_BUFFER_BYTES || bytes > Settings.MAX_BUFFER_BYTES) {
            return null;
        }
        int below = Integer.highestOneBit((int) bytes);
        return below == bytes ? below : below << 1;
    }

    private static <E extends Enum<E>> E constant(E[] constants, String text) {
        return Stream.of(constants)
                .filter(constant -> constant.name().equalsIgnoreCase(text))
                .findFirst()
                .orElse(null);
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

    /** A setting's text and where it was found; prints as the start of a problem. */
    private record Given(Setting.Source source, String name, String text) {
        @Override
        public String toString() {
            return source.label() + " " + name + "=" + text;
        }
    }
}

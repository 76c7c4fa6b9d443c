package org.exsockets.config;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a rules file and collects every malformed line. Used by one thread, for one file. */
final class RulesParser {
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern PORTS = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?");
    private static final String[] EXPECTED = {
        "connect, listen or both", "HOST, HOST/PREFIX or *", "PORT, PORT-PORT or *", "exs or tcp"
    };
    private static final int MAX_PORT = 65535;

    private final String fileName;
    private final HostPattern.HostResolver resolver;
    private final List<String> problems = new ArrayList<>();

    private int lineNumber;

    RulesParser(String fileName) {
        this(fileName, InetAddress::getAllByName);
    }

    RulesParser(String fileName, HostPattern.HostResolver resolver) {
        this.fileName = fileName;
        this.resolver = resolver;
    }

    /** {@return the rules of all well-formed lines; complete only if there are no {@link #problems}} */
    TransportRules parse(List<String> lines) {
        List<TransportRules.Rule> rules = new ArrayList<>();
        for (String line : lines) {
            lineNumber++;
            int comment = line.indexOf('#');
            List<Word> words = words(comment < 0 ? line : line.substring(0, comment));
            TransportRules.Rule rule = words.isEmpty() ? null : parseLine(words);
            if (rule != null) {
                rules.add(rule);
            }
        }
        return new TransportRules(rules);
    }

    List<String> problems() {
        return problems;
    }

    private TransportRules.@Nullable Rule parseLine(List<Word> words) {
        int problemsBefore = problems.size();
        Word last = words.get(words.size() - 1);
        if (words.size() < EXPECTED.length) {
            Word end = new Word("end of line", last.column + last.text.length());
            return problem(end, EXPECTED[words.size()]);
        }
        if (words.size() > EXPECTED.length + 1) {
            return problem(words.get(EXPECTED.length + 1), "end of line or # and a comment");
        }
        RuleDirection only = parseDirection(words.get(0));
        HostPattern host = parseHost(words.get(1));
        int[] ports = parsePorts(words.get(2));
        Verdict verdict = parseVerdict(words.get(3));
        Set<Face> faces = words.size() > EXPECTED.length ? parseFaces(words.get(EXPECTED.length)) : Set.of();
        if (problems.size() > problemsBefore || host == null || ports == null || verdict == null || faces == null) {
            return null;
        }
        StringBuilder text =
                new StringBuilder(fileName).append(':').append(lineNumber).append(':');
        for (Word word : words) {
            text.append(' ').append(word.text);
        }
        return new TransportRules.Rule(only, host, ports[0], ports[1], verdict, faces, text.toString());
    }

    private @Nullable RuleDirection parseDirection(Word word) {
        return switch (word.text) {
            case "connect" -> RuleDirection.CONNECT;
            case "listen" -> RuleDirection.LISTEN;
            case "both" -> null;
            default -> problem(word, EXPECTED[0]);
        };
    }

    private @Nullable HostPattern parseHost(Word word) {
        if (word.text.equals("*")) {
            return HostPattern.any();
        }
        int slash = word.text.indexOf('/');
        String host = slash < 0 ? word.text : word.text.substring(0, slash);
        String prefix = slash < 0 ? null : word.text.substring(slash + 1);
        if (AddressBlock.looksLiteral(host)) {
            try {
                return HostPattern.of(AddressBlock.parse(host, prefix));
            } catch (IllegalArgumentException e) {
                return problem(word, String.valueOf(e.getMessage()));
            }
        }
        if (!HOST_NAME.matcher(host).matches()) {
            return problem(word, EXPECTED[1]);
        }
        if (prefix != null) {
            return problem(word, "no prefix length after a host name");
        }
        return HostPattern.named(host, fileName + ":" + lineNumber + ":" + word.column, resolver);
    }

    private int @Nullable [] parsePorts(Word word) {
        if (word.text.equals("*")) {
            return new int[] {0, MAX_PORT};
        }
        Matcher matcher = PORTS.matcher(word.text);
        if (!matcher.matches()) {
            return problem(word, EXPECTED[2]);
        }
        int first = Integer.parseInt(matcher.group(1));
        int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
        if (first < 1 || first > MAX_PORT || last < 1 || last > MAX_PORT) {
            return problem(word, "ports from 1 to " + MAX_PORT);
        }
        if (first > last) {
            return problem(word, "the lower port first");
        }
        return new int[] {first, last};
    }

    private @Nullable Verdict parseVerdict(Word word) {
        return switch (word.text) {
            case "exs" -> Verdict.EXS;
            case "tcp" -> Verdict.TCP;
            default -> problem(word, EXPECTED[3]);
        };
    }

    private @Nullable Set<Face> parseFaces(Word word) {
        Set<Face> faces = Face.parse(word.text, ",");
        return faces != null
                ? faces
                : problem(word, "net, nio or aio, or several of them with a comma between them, or end of line");
    }

    private <T> @Nullable T problem(Word found, String expected) {
        problems.add(
                fileName + ":" + lineNumber + ":" + found.column + ": found " + found.text + ", expected " + expected);
        return null;
    }

    private static List<Word> words(String line) {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(new Word(matcher.group(), matcher.start() + 1));
        }
        return words;
    }

    /** A word of a line and the column, counted from 1, at which it starts. */
    private record Word(String text, int column) {}
}

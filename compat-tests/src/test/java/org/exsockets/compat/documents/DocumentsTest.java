package org.exsockets.compat.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of documents lead somewhere, and the index of decisions says of each page what that says itself. Runs in the module's directory. */
final class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DECISIONS = ROOT.resolve("docs/decisions");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern SCHEME = Pattern.compile("\\w+:.*");
    private static final Pattern STATUS = Pattern.compile(
            "^Status: (accepted|amended by|superseded by)(.*?)\n\n", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern PAGE = Pattern.compile("\\[(\\d{4})]");
    private static final Pattern ENTRY = Pattern.compile(
            "^\\* (\\d+) \\[[^]]*]\\((\\d{4})-[^)]*\\)(?:\\s+\\((?:amended|superseded)\\s+by\\s+([\\d, \n]+)\\))?$",
            Pattern.MULTILINE);

    private static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            all.add(ROOT.resolve(name));
        }
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(each -> each.toString().endsWith(".md")).forEach(all::add);
        }
        return all;
    }

    @Test
    void eachLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                String target = link.group(1);
                if (!SCHEME.matcher(target).matches() && !leadsSomewhere(document, target)) {
                    broken.add(ROOT.relativize(document) + " -> " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leadsSomewhere(Path document, String target) throws IOException {
        int mark = target.indexOf('#');
        String file = mark < 0 ? target : target.substring(0, mark);
        Path to = file.isEmpty() ? document : document.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        return mark < 0 || anchors(to).contains(target.substring(mark + 1));
    }

    /** As GitHub makes them. */
    private static Set<String> anchors(Path document) throws IOException {
        Set<String> anchors = new HashSet<>();
        boolean code = false;
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("```")) {
                code = !code;
            } else if (!code && line.matches("#+ .*")) {
                String anchor = line.replaceFirst("#+ ", "")
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-');
                String free = anchor;
                for (int i = 1; !anchors.add(free); i++) {
                    free = anchor + "-" + i;
                }
            }
        }
        return anchors;
    }

    @Test
    void theIndexOfDecisionsHasEachPageWithItsStatus() throws IOException {
        TreeMap<Integer, Set<Integer>> pages = new TreeMap<>();
        try (Stream<Path> files = Files.list(DECISIONS)) {
            for (Path page : files.filter(each -> each.getFileName().toString().matches("\\d{4}-.*"))
                    .toList()) {
                Matcher status = STATUS.matcher(Files.readString(page));
                assertTrue(status.find(), () -> "no status: " + page.getFileName());
                pages.put(Integer.valueOf(page.getFileName().toString().substring(0, 4)), numbers(status.group(2)));
            }
        }
        TreeMap<Integer, Set<Integer>> listed = new TreeMap<>();
        Matcher entry = ENTRY.matcher(Files.readString(DECISIONS.resolve("README.md")));
        while (entry.find()) {
            Set<Integer> by = new TreeSet<>();
            if (entry.group(3) != null) {
                for (String number : entry.group(3).split("\\D+")) {
                    by.add(Integer.valueOf(number));
                }
            }
            assertEquals(Integer.valueOf(entry.group(1)), Integer.valueOf(entry.group(2)));
            listed.put(Integer.valueOf(entry.group(1)), by);
        }
        assertEquals(pages, listed);
    }

    private static Set<Integer> numbers(String status) {
        Set<Integer> numbers = new TreeSet<>();
        Matcher page = PAGE.matcher(status);
        while (page.find()) {
            numbers.add(Integer.valueOf(page.group(1)));
        }
        return numbers;
    }

    /** A lock of the provider: a field, or the monitor of a class. */
    private record Lock(String owner, String field) {}

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern LOCK_FIELD = Pattern.compile(
            "\\b(?:ReentrantLock|SpinGate|Object) (\\w+) = new (?:ReentrantLock|SpinGate|Object)\\(\\)");
    private static final Pattern MONITOR =
            Pattern.compile("\\bsynchronized [^(]|\\bsynchronized \\((?:this|\\w+\\.this)\\)");
    private static final Pattern GUARDED_BY = Pattern.compile("@GuardedBy\\(\"([\\w.]+)\"\\)");

    /** Objects that only look like locks: nobody synchronizes on them. */
    private static final Set<String> MARKERS = Set.of("WAIT", "PROGRESS_THREAD");

    private static Set<Lock> locks() throws IOException {
        Set<Lock> all = new HashSet<>();
        try (Stream<Path> sources = Files.walk(ROOT.resolve("provider/src/main/java"))) {
            for (Path each :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String code = COMMENT.matcher(Files.readString(each)).replaceAll("");
                String owner = each.getFileName().toString().replace(".java", "");
                Set<String> guards = new HashSet<>();
                GUARDED_BY.matcher(code).results().forEach(found -> guards.add(found.group(1)));
                LOCK_FIELD
                        .matcher(code)
                        .results()
                        .map(found -> found.group(1))
                        .filter(field -> !MARKERS.contains(field) && !guards.contains(field))
                        .forEach(field -> all.add(new Lock(owner, field)));
                if (MONITOR.matcher(code).find() && !guards.contains("this") && !guards.contains(owner + ".class")) {
                    all.add(new Lock(owner, "monitor"));
                }
            }
        }
        return all;
    }

    /** In the page a lock is named with its class; monitors are not named. A counter that serves as a lock is for readers to check. */
    @Test
    void theTableOfLocksHasEveryLockOfTheCodeThatNoAnnotationHas() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        int from = page.indexOf("## Locks");
        String section = page.substring(from, page.indexOf("\n## ", from));
        Set<String> named = new HashSet<>();
        Pattern.compile("`(\\w+)`").matcher(section).results().forEach(found -> named.add(found.group(1)));
        TreeSet<String> missing = new TreeSet<>();
        Set<String> owners = new HashSet<>();
        for (Lock lock : locks()) {
            owners.add(lock.owner());
            if (!named.contains(lock.owner()) || !lock.field().equals("monitor") && !named.contains(lock.field())) {
                missing.add(lock.owner() + "." + lock.field());
            }
        }
        assertEquals(new TreeSet<>(), missing);
        TreeSet<String> stale = new TreeSet<>();
        for (String row : section.lines()
                .filter(line -> line.startsWith("| `") && !line.contains("(counter") || line.startsWith("| monitor"))
                .toList()) {
            Pattern.compile("`([A-Z]\\w+)`")
                    .matcher(row.split("\\|")[2])
                    .results()
                    .map(found -> found.group(1))
                    .filter(owner -> !owners.contains(owner) && !isGuarded(owner))
                    .forEach(stale::add);
        }
        assertEquals(new TreeSet<>(), stale);
    }

    private static boolean isGuarded(String owner) {
        try (Stream<Path> sources = Files.walk(ROOT.resolve("provider/src/main/java"))) {
            for (Path each :
                    sources.filter(file -> file.endsWith(owner + ".java")).toList()) {
                if (Files.readString(each).contains("@GuardedBy")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final Pattern PUT = Pattern.compile("\\.put\\(\"([\\w.]+)\"");
    private static final Pattern PUT_STATE = Pattern.compile("\\.put\\(\"state\", \"([A-Z-]+)\"\\)");
    private static final Pattern UPPER_CASE = Pattern.compile("\"([A-Z][A-Z_-]+)\"");
    private static final Pattern NAMES = Pattern.compile("String\\[] NAMES = \\{(.*?)};", Pattern.DOTALL);
    private static final Pattern FIRST_COLUMN = Pattern.compile("^\\| (`[^|]*`) \\|", Pattern.MULTILINE);

    /** {@return the names that connections, listeners and processes give to what they tell, and the states that they name} */
    private static Set<String> told() throws IOException {
        Set<String> told = new TreeSet<>();
        Path sources = ROOT.resolve("provider/src/main/java/org/exsockets");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path each :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                String code = COMMENT.matcher(Files.readString(each)).replaceAll("");
                if (code.contains("Description into")) {
                    PUT.matcher(code).results().forEach(found -> told.add(found.group(1)));
                    PUT_STATE.matcher(code).results().forEach(found -> told.add(found.group(1)));
                }
            }
        }
        Matcher states = UPPER_CASE.matcher(Files.readString(sources.resolve("connection/ConnectionDescription.java")));
        states.results().forEach(found -> told.add(found.group(1)));
        Matcher life = NAMES.matcher(Files.readString(sources.resolve("connection/life/Life.java")));
        assertTrue(life.find());
        UPPER_CASE.matcher(life.group(1)).results().forEach(found -> told.add(found.group(1)));
        assertTrue(told.containsAll(Set.of("LISTEN", "ESTAB", "RESET", "RELEASED", "few_credits", "fallback.", "pid")));
        return told;
    }

    @Test
    void everythingThatSsShowsIsExplained() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
        String section = page.substring(page.indexOf("## What `ss --wide` shows"));
        Set<String> explained = names(section);
        explained.addAll(Set.of("connections_", "fallback.")); // Of which there is one for each device and reason.
        Set<String> told = told();
        Set<String> missing = new TreeSet<>(told);
        missing.removeAll(explained);
        assertEquals(Set.of(), missing);
        Set<String> stale = new TreeSet<>();
        FIRST_COLUMN.matcher(section).results().forEach(found -> stale.addAll(names(found.group(1))));
        stale.removeAll(told);
        stale.removeAll(Set.of("state", "life", "ss --wide"));
        assertEquals(Set.of(), stale);
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Pattern.compile("`([^`]+)`").matcher(text).results().forEach(found -> names.add(found.group(1)));
        return names;
    }
}

package org.exsockets;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rooms and arrows are as the table in docs/architecture.md has them. */
class PackagesTest {
    private static final String ROOT = "org.exsockets";
    private static final String DISNI = "com.ibm.disni..";

    /** Settings, observation and what is needed of the JDK beyond its public API. */
    private static final List<String> EVERYBODYS = List.of("config", "observe", "jdk");

    /** Rooms below those of {@link #EVERYBODYS}, or pure: of these they use only what is listed. */
    private static final Map<String, List<String>> SELF_CONTAINED = Map.ofEntries(
            Map.entry("config", List.of()),
            Map.entry("jdk", List.of()),
            Map.entry("observe", List.of("config")),
            Map.entry("memory", List.of("jdk")),
            Map.entry("verbs", List.of()),
            Map.entry("wire", List.of()),
            Map.entry("stream.link", List.of()),
            Map.entry("stream.direct", List.of()),
            Map.entry("stream", List.of()),
            Map.entry("packet", List.of()),
            Map.entry("api", List.of()));

    private static final Path TABLE = Path.of("../docs/architecture.md");
    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");

    /** The rooms from the highest to the lowest, and what each may use, without {@link #EVERYBODYS}. */
    private static final Map<String, List<String>> MAY_USE = table();

    private static Map<String, List<String>> table() {
        Map<String, List<String>> rooms = new LinkedHashMap<>();
        try {
            String page = Files.readString(TABLE);
            String section = page.substring(page.indexOf("\n## Rooms\n"), page.indexOf("\n## The segment\n"));
            for (String line : section.split("\n")) {
                if (line.startsWith("| `")) {
                    String[] cells = line.split("\\|");
                    names(cells[1]).forEach(room -> rooms.put(room, cells.length > 3 ? names(cells[3]) : List.of()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rooms;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    /** Used for their versions only: constants, of which the compiler leaves no trace in the class that uses them. */
    private static final Set<String> CONSTANTS_ONLY =
            Set.of(arrow(full("rendezvous"), full("packet")), arrow(full("rendezvous"), full("stream")));

    private static final int MOST_CLASSES = 25;
    private static final int MOST_LINES_OF_A_FILE = 500;
    private static final int MOST_LINES_OF_A_PACKAGE = 3_000;

    private static final List<String> CIRCLES = List.of(
            "ExsSocketAdaptor ExsSocketChannel",
            "ApiProvider Binding Event EventQueue ExsMemory ExsServerSocket ExsSocket",
            "Arena ArenaAllocation",
            "Attachment EventRing Operation Pollable PolledEventQueue QueuedEvent",
            "ExsKey KeySelector KeySource",
            "DeviceThread DisniDevice DisniEndpoint DisniListener EndpointLife",
            "ExsServerSocketAdaptor ExsServerSocketChannel",
            "ExsSocketImpl ImplStreams ImplTcp",
            "HandleWords Words",
            "Turn Wait");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private static String full(String room) {
        return ROOT + "." + room;
    }

    private static String arrow(String from, String to) {
        return from + " -> " + to;
    }

    private static Stream<JavaClass> topLevelClasses() {
        return CLASSES.stream()
                .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"));
    }

    static Stream<String> rooms() {
        return MAY_USE.keySet().stream();
    }

    @Test
    void everyPackageHasItsPlaceInTheTable() {
        TreeSet<String> found = new TreeSet<>();
        for (JavaClass each : CLASSES) {
            found.add(each.getPackageName());
        }
        TreeSet<String> known = new TreeSet<>();
        rooms().forEach(room -> known.add(full(room)));
        assertEquals(known, found);
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aPackageUsesOnlyWhatItMay(String room) {
        List<String> allowed = new ArrayList<>();
        allowed.add(full(room));
        MAY_USE.get(room).forEach(each -> allowed.add(full(each)));
        SELF_CONTAINED.getOrDefault(room, EVERYBODYS).forEach(each -> allowed.add(full(each)));
        DescribedPredicate<JavaClass> ours = resideInAnyPackage(ROOT + "..");
        DescribedPredicate<JavaClass> permitted = resideInAnyPackage(allowed.toArray(String[]::new));
        noClasses()
                .that()
                .resideInAPackage(full(room))
                .should()
                .dependOnClassesThat(ours.and(DescribedPredicate.not(permitted)))
                .check(CLASSES);
    }

    /** Those to {@link #EVERYBODYS} excepted. */
    @Test
    void everyArrowIsUsed() {
        TreeSet<String> unused = new TreeSet<>();
        MAY_USE.forEach((room, used) -> used.stream()
                .filter(each -> !EVERYBODYS.contains(each))
                .forEach(each -> unused.add(arrow(full(room), full(each)))));
        for (JavaClass each : CLASSES) {
            each.getDirectDependenciesFromSelf()
                    .forEach(dependency -> unused.remove(arrow(
                            each.getPackageName(),
                            dependency.getTargetClass().getBaseComponentType().getPackageName())));
        }
        assertEquals(new TreeSet<>(CONSTANTS_ONLY), unused);
    }

    @Test
    void whatARoomUsesStandsBelowIt() {
        List<String> order = List.copyOf(MAY_USE.keySet());
        MAY_USE.forEach((room, used) ->
                used.forEach(each -> assertTrue(order.indexOf(each) > order.indexOf(room), arrow(room, each))));
    }

    @Test
    void simpleNamesAreUnique() {
        TreeMap<String, List<String>> named = topLevelClasses()
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName,
                        TreeMap::new,
                        Collectors.mapping(JavaClass::getName, Collectors.toList())));
        named.values().removeIf(sameName -> sameName.size() == 1);
        assertEquals(Map.of(), named);
    }

    @Test
    void noPackageHasTooManyClasses() {
        TreeMap<String, Integer> larger = topLevelClasses()
                .collect(Collectors.groupingBy(
                        JavaClass::getPackageName, TreeMap::new, Collectors.summingInt(each -> 1)));
        larger.values().removeIf(classes -> classes <= MOST_CLASSES);
        assertEquals(Map.of(), larger);
    }

    @Test
    void noFileAndNoPackageIsTooLong() throws IOException {
        TreeMap<String, Integer> linesOf = new TreeMap<>();
        try (Stream<Path> all = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(".java")).toList()) {
                int lines = Files.readAllLines(file).size();
                assertTrue(lines <= MOST_LINES_OF_A_FILE, () -> file + ": lines=" + lines);
                linesOf.merge(String.valueOf(file.getParent()), lines, Integer::sum);
            }
        }
        assertFalse(linesOf.isEmpty());
        linesOf.values().removeIf(lines -> lines <= MOST_LINES_OF_A_PACKAGE);
        assertEquals(Map.of(), linesOf);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /**
     * Classes that know each other, directly or through others: an owner and the parts that call it, mostly. There may
     * be fewer of them, not more.
     */
    @Test
    void noFurtherClassesKnowEachOther() {
        TreeMap<String, TreeSet<String>> uses = new TreeMap<>();
        for (JavaClass each : CLASSES) {
            each.getDirectDependenciesFromSelf()
                    .forEach(dependency -> uses.computeIfAbsent(outermost(each), name -> new TreeSet<>())
                            .add(outermost(dependency.getTargetClass().getBaseComponentType())));
        }
        TreeSet<String> found = new TreeSet<>();
        for (String one : uses.keySet()) {
            TreeSet<String> circle = new TreeSet<>(reachable(one, uses));
            circle.removeIf(other -> !reachable(other, uses).contains(one));
            if (circle.size() > 1) {
                found.add(circle.stream()
                        .map(name -> name.substring(name.lastIndexOf('.') + 1))
                        .collect(Collectors.joining(" ")));
            }
        }
        assertEquals(new TreeSet<>(CIRCLES), found);
    }

    private static String outermost(JavaClass each) {
        return each.getName().replaceFirst("\\$.*", "");
    }

    private static Set<String> reachable(String from, Map<String, TreeSet<String>> uses) {
        Set<String> reached = new HashSet<>();
        ArrayDeque<String> next = new ArrayDeque<>(uses.getOrDefault(from, new TreeSet<>()));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (reached.add(one)) {
                next.addAll(uses.getOrDefault(one, new TreeSet<>()));
            }
        }
        return reached;
    }

    /** But for {@code watch}, which uses the sockets of {@code verbs.soft.host}, and nothing else of the device. */
    @ParameterizedTest
    @ValueSource(strings = {"verbs.soft", "verbs.disni"})
    void nobodyKnowsADeviceButItself(String device) {
        noClasses()
                .that()
                .resideOutsideOfPackages(full(device) + "..", full("watch"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(full(device) + "..")
                .check(CLASSES);
    }

    @Test
    void onlyItsDeviceKnowsDisni() {
        noClasses()
                .that()
                .resideOutsideOfPackage(full("verbs.disni") + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(DISNI)
                .check(CLASSES);
    }

    @Test
    void onlyTheClassesOfTheNativeLibrariesHaveNativeMethods() {
        Set<String> natives = Set.of(
                full("jdk") + ".DescriptorChannels",
                full("jdk") + ".DescriptorPoll",
                full("jdk") + ".Futex",
                full("jdk") + ".Threads",
                full("memory") + ".CheckedCopy",
                full("verbs.disni") + ".Verbs",
                full("verbs.soft.copy") + ".NativeCopy",
                full("verbs.soft.host") + ".NativeMemory",
                full("verbs.soft.meet") + ".PortOwner",
                full("verbs.soft.host") + ".UnixSockets");
        for (JavaClass each : CLASSES) {
            boolean hasNatives = each.getMethods().stream()
                    .anyMatch(method -> method.getModifiers().contains(JavaModifier.NATIVE));
            assertEquals(natives.contains(each.getName()), hasNatives, each.getName());
        }
    }

    @Test
    void theStreamIsPure() {
        noClasses()
                .that()
                .resideInAnyPackage(full("stream") + "..", full("packet"), full("wire"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.nio.channels..", "java.util.concurrent.locks..", "java.net..", "java.time..")
                        .or(DescribedPredicate.describe(
                                "threads", (JavaClass each) -> each.isEquivalentTo(Thread.class))))
                .check(CLASSES);
    }

    @Test
    void layoutsAreFinalAndHoldNothing() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Descriptor")
                .should()
                .haveModifier(JavaModifier.FINAL)
                .andShould()
                .haveOnlyPrivateConstructors()
                .check(CLASSES);
    }

    @Test
    void noNameSaysNothing() {
        List<String> empty = List.of("Util", "Utils", "Helper", "Manager", "Constants");
        for (JavaClass each : CLASSES) {
            assertFalse(empty.stream().anyMatch(each.getSimpleName()::endsWith), each.getName());
        }
    }

    @Test
    void nothingComesFromOutsideTheJdkButDisni() {
        // The annotations are for the compiler, and need not be there at run time.
        String[] allowed = {
            ROOT + "..",
            "java..",
            "javax.management..",
            "jdk.jfr..",
            DISNI,
            "com.google.errorprone.annotations..",
            "org.jspecify.annotations.."
        };
        noClasses()
                .that()
                // Compiled apart, and loaded only where the JDK is open.
                .haveSimpleNameNotStartingWith("Unsafe")
                .and()
                .haveSimpleNameNotStartingWith("Internal")
                .should()
                .dependOnClassesThat(DescribedPredicate.not(resideInAnyPackage(allowed))
                        .and(DescribedPredicate.not(DescribedPredicate.describe(
                                "primitives and arrays",
                                (JavaClass each) -> each.getPackageName().isEmpty()))))
                .check(CLASSES);
    }
}

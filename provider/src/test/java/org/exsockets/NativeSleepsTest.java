package org.exsockets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.exsockets.jdk.Threads;
import org.junit.jupiter.api.Test;

/**
 * A virtual thread that sleeps in the kernel keeps its carrier from others; as many as there are processors stop all. So
 * whoever sleeps in a native asks which kind of thread it is.
 */
class NativeSleepsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.exsockets");

    /** Natives with a system call that waits, by file. {@code closer.c} sleeps in threads of its own. */
    private static final Set<String> SLEEPING_SOURCES =
            Set.of("closer.c", "descriptor_poll.c", "futex.c", "verbs_waiting.c");

    private static final Pattern WAITS =
            Pattern.compile("\\b(p?poll|select|epoll_p?wait2?|nanosleep|usleep|sleep|sem_wait)\\(|FUTEX_WAIT\\b");

    /** Their callers are to ask, as they do not know who calls. */
    private static final Set<String> PLACES = Set.of("SleepWords", "Word", "DisniWakeWord", "WordPlace");

    /** Their methods run in threads of this project, or of its commands (doctor, ss); or they do not wait. */
    private static final Set<String> NEVER_VIRTUAL =
            Set.of("DeviceThread", "DisniExamination", "PeerProcess", "Question");

    @Test
    void nativesThatSleepAreKnown() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> sources = Files.list(Path.of("src/main/c"))) {
            for (Path each : (Iterable<Path>) sources::iterator) {
                String name = each.getFileName().toString();
                if (name.endsWith(".c") && WAITS.matcher(Files.readString(each)).find()) {
                    found.add(name);
                }
            }
        }
        assertEquals(new TreeSet<>(SLEEPING_SOURCES), found);
    }

    @Test
    void whoeverSleepsInANativeAsksWhetherItsThreadIsVirtual() {
        Deque<JavaMethod> sleeps = new ArrayDeque<>();
        sleeps.add(CLASSES.get(Futex.class).getMethod("sleep", long.class, int.class, long.class));
        sleeps.add(CLASSES.get(DescriptorPoll.class).getMethod("poll", int.class, long.class));
        sleeps.add(CLASSES.get("org.exsockets.verbs.disni.Verbs")
                .getMethod("waitFor", int[].class, boolean[].class, int.class));
        Set<JavaMethod> known = new HashSet<>(sleeps);
        Set<String> places = new TreeSet<>();
        Set<String> unasked = new TreeSet<>();
        while (!sleeps.isEmpty()) {
            for (JavaMethodCall call : sleeps.remove().getCallsOfSelf()) {
                JavaClass caller = call.getOriginOwner();
                if (PLACES.contains(caller.getSimpleName())) {
                    places.add(caller.getSimpleName());
                    callableAs(call).filter(known::add).forEach(sleeps::add);
                } else if (!asks(caller)) {
                    unasked.add(outermost(caller).getSimpleName());
                }
            }
        }
        assertEquals(new TreeSet<>(NEVER_VIRTUAL), unasked);
        assertEquals(new TreeSet<>(PLACES), places);
    }

    /** {@return the method that calls, and those of interfaces by which it is called} */
    private static Stream<JavaMethod> callableAs(JavaMethodCall call) {
        JavaMethod method = (JavaMethod) call.getOrigin();
        String[] parameters =
                method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
        return Stream.concat(
                Stream.of(method),
                call.getOriginOwner().getAllRawInterfaces().stream()
                        .flatMap(each -> each.tryGetMethod(method.getName(), parameters).stream()));
    }

    private static JavaClass outermost(JavaClass caller) {
        return caller.getEnclosingClass().map(NativeSleepsTest::outermost).orElse(caller);
    }

    private static boolean asks(JavaClass caller) {
        return outermost(caller).getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Threads.class)
                        && call.getName().equals("currentIsVirtual"));
    }
}

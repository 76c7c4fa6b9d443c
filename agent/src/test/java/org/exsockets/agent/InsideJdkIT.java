package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.agent.programs.Everything;
import org.exsockets.jdk.InsideJdk;
import org.exsockets.jdk.InsideJdk.Without;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a JDK does not have of what EXS relies on inside it: programs run, over EXS or with a reason, and nobody is warned. */
class InsideJdkIT {
    private static final String PRINTED = "echo ok\nselect ok\nours\nfiles: the JDK's\neverything ok\n";
    private static final int ENDS = 10;
    private static final int ENDS_OF_CHANNELS = 6;
    private static final int FIRST_THAT_WARNS_OF_NATIVE_ACCESS = 24;

    @TempDir
    Path directory;

    static Stream<Arguments> names() {
        return ChildJvm.jdks().flatMap(InsideJdkIT::namesOf);
    }

    private static Stream<Arguments> namesOf(Path jdk) {
        List<Arguments> names = new ArrayList<>();
        for (InsideJdk name : InsideJdk.values()) {
            if (name.without() == Without.KNOWN_TO_JVM) {
                continue;
            }
            if (name.members().isEmpty()) {
                names.add(Arguments.of(jdk, name, null));
            }
            name.members().forEach(member -> names.add(Arguments.of(jdk, name, member)));
        }
        return names.stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void programsRunWithoutAWarning(Path jdk, InsideJdk name, String member) throws IOException {
        List<String> other = new LaterJdk(jdk, name, member).options(directory);
        assumeTrue(!other.isEmpty(), "this JDK has no such thing");
        ChildJvm jvm = ChildJvm.of(jdk).agent(TestJars.agent(), "stats=stderr,direct.buffers=64k");
        // The JVM would complain that what has another name is no intrinsic.
        jvm.jvm("-XX:+UnlockDiagnosticVMOptions", "-XX:-CheckIntrinsics");
        ChildJvm.Outcome outcome = jvm.jvm(other.toArray(String[]::new)).run(Everything.class);
        String statistics = outcome.err();
        assertEquals(PRINTED, outcome.out(), statistics);
        assertEquals(1, statistics.lines().count(), statistics);
        boolean warns = ChildJvm.featureOf(jdk) >= FIRST_THAT_WARNS_OF_NATIVE_ACCESS;
        switch (name.without()) {
            case NET_IS_TCP -> {
                assertConnections(ENDS_OF_CHANNELS, 0, statistics);
                assertTrue(statistics.contains("\"jdk-differs\":1"), statistics);
            }
            case ALL_IS_TCP -> assertAllIsTcp(statistics);
            case ALL_IS_TCP_FROM_24 -> {
                if (warns) {
                    assertAllIsTcp(statistics);
                } else {
                    assertConnections(ENDS, 0, statistics);
                }
            }
            default -> assertConnections(ENDS, 0, statistics);
        }
    }

    private static void assertAllIsTcp(String statistics) {
        assertConnections(0, ENDS, statistics);
        assertTrue(statistics.contains("\"native-missing\":"), statistics);
    }

    private static void assertConnections(int soft, int tcp, String statistics) {
        String expected = "{\"connections\":{\"soft\":" + soft + ",\"disni\":0,\"tcp\":" + tcp + "}";
        assertTrue(statistics.startsWith(expected), statistics);
    }
}

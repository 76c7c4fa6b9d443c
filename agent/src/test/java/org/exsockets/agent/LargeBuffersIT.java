package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.exsockets.agent.programs.LargeBuffers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Direct buffers in shared memory: programs see no difference, and nothing is left behind. */
class LargeBuffersIT {
    private static final String PLACING = "direct.buffers=64k,stats=stderr";

    @OnEachJdk
    void placedBuffersAreLikeOrdinaryOnes(Path jdk) throws IOException {
        String ordinary = plain(jdk).run(LargeBuffers.class, "ordinary").out();
        assertTrue(ordinary.endsWith("collected true\n"), ordinary);
        ChildJvm.Outcome placed = placing(jdk).run(LargeBuffers.class, "ordinary");
        assertEquals(ordinary, placed.out(), placed.err());
        assertPlaced(13, 0, placed);
    }

    @OnEachJdk
    void assertionsInTheJdkHold(Path jdk) {
        ChildJvm.Outcome placed = placing(jdk).jvm("-esa", "-Xcheck:jni").run(LargeBuffers.class, "ordinary");
        assertTrue(placed.out().endsWith("collected true\n"), placed.out() + placed.err());
    }

    @OnEachJdk
    void thousandsOfBuffersAreFreedByTheProgramAndTheCollector(Path jdk) throws IOException {
        ChildJvm.Outcome placed =
                placing(jdk).jvm("-XX:MaxDirectMemorySize=64m").run(LargeBuffers.class, "many");
        assertEquals("all freed\n", placed.out(), placed.err());
        assertPlaced(3_000, 0, placed);
    }

    @OnEachJdk
    void theJvmsLimitHoldsForThem(Path jdk) {
        // A little more than for eight, for what the JDK and the agent take themselves.
        String limit = "-XX:MaxDirectMemorySize=17m";
        String ordinary = plain(jdk).jvm(limit).run(LargeBuffers.class, "limit").out();
        ChildJvm.Outcome placed = placing(jdk).jvm(limit).run(LargeBuffers.class, "limit");
        assertEquals(ordinary, placed.out(), placed.err());
        assertEquals("8 fit\nfits again\n", ordinary);
    }

    @OnEachJdk
    void onlyLargeOnesLieInSharedMemoryUntilTheyAreFreed(Path jdk) throws IOException {
        ChildJvm.Outcome placed = placing(jdk).run(LargeBuffers.class, "where");
        assertEquals(
                "1 arena, large: true, small: false\nfreed: false\nkept by a view: true9797\ncollected\n",
                placed.out(),
                placed.err());
    }

    @OnEachJdk
    void whereNativeCodeIsNotAllowedBuffersAreTheJvms(Path jdk) {
        ChildJvm.Outcome placed =
                plain(jdk).agent(TestJars.agent(), PLACING + ",copy=ordinary").run(LargeBuffers.class, "limit");
        assertTrue(placed.out().endsWith("fits again\n"), placed.out());
        assertEquals(
                1,
                placed.err()
                        .lines()
                        .filter(line -> line.contains("exs.direct.buffers"))
                        .count(),
                placed.err());
        assertPlaced(0, 101, placed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "direct.buffers=off"})
    void byDefaultBuffersAreTheJvms(String options) {
        Path jdk = Path.of(System.getProperty("java.home"));
        ChildJvm.Outcome ordinary = plain(jdk).agent(TestJars.agent(), options).run(LargeBuffers.class, "limit");
        assertTrue(ordinary.out().endsWith("fits again\n"), ordinary.out());
        assertEquals("", ordinary.err());
    }

    private static ChildJvm plain(Path jdk) {
        ChildJvm program = ChildJvm.of(jdk);
        return ChildJvm.featureOf(jdk) > 23 ? program.jvm("--sun-misc-unsafe-memory-access=allow") : program;
    }

    private static ChildJvm placing(Path jdk) {
        return plain(jdk).agent(TestJars.agent(), PLACING);
    }

    private static void assertPlaced(int buffers, int refused, ChildJvm.Outcome outcome) {
        String expected = "\"placed\":{\"buffers\":" + buffers + ",\"refused\":" + refused + "}";
        assertTrue(outcome.err().contains(expected), outcome.err());
        assertEquals(0, outcome.status());
    }
}

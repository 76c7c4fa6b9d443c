package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.function.Executable;

/** Whether a virtual thread that waits leaves the only carrier there is to others. */
public final class Carriers {
    private Carriers() {}

    public static void assumeThereAreSome() {
        Assumptions.assumeTrue(VirtualThread.supported(), "this JDK has no virtual threads");
    }

    /**
     * Blocks a call in a virtual thread on the only carrier, runs others there, and then lets the call end. The flight
     * recorder must see no pinned thread.
     *
     * @param method in which the call blocks
     */
    public static <T> void assertFreed(String method, Callable<T> call, Executable end) throws Exception {
        try (PinnedThreads pinned = PinnedThreads.record()) {
            VirtualThread<T> blocked = VirtualThread.start(call).awaitBlockedIn(method);
            for (int i = 0; i < 3; i++) {
                int value = i;
                assertEquals(value, VirtualThread.start(() -> value).result());
            }
            Thread.sleep(PinnedThreads.UNSEEN_MS);
            assertFalse(blocked.isDone());
            assertDoesNotThrow(end);
            assertNotNull(blocked.result());
            pinned.assertNone();
        }
    }

    /** {@return what a program has printed that ran in a JVM of its own, where one carrier is to suffice} */
    public static List<String> run(Class<?> program, List<String> options, Path directory) throws Exception {
        List<String> all = new ArrayList<>(Transport.peerArguments());
        all.add("-Djdk.virtualThreadScheduler.parallelism=1");
        all.add("-Dexs.test.host=" + TestHost.NAME);
        all.addAll(options);
        String classPath = System.getProperty("java.class.path");
        List<String> main = List.of(program.getName());
        try (ProgramJvm jvm = new ProgramJvm(program.getSimpleName(), directory, false, all, classPath, main)) {
            return jvm.awaitEnd();
        }
    }
}

package org.exsockets.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.exsockets.agent.ChildJvm;
import org.exsockets.agent.OnEachJdk;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the jar, on each JDK under test. */
class MainIT {
    @TempDir
    Path directory;

    private static void assertPrinted(ChildJvm.Outcome outcome, String text) {
        assertTrue(printed(outcome).contains(text), printed(outcome));
    }

    private static void assertNotPrinted(ChildJvm.Outcome outcome, String text) {
        assertFalse(printed(outcome).contains(text), printed(outcome));
    }

    /** Both streams: a warning of the JVM would show. */
    private static String printed(ChildJvm.Outcome outcome) {
        return outcome.out() + outcome.err();
    }

    @OnEachJdk
    void withoutACommandTheUsageIsPrinted(Path jdk) throws Exception {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent();
        assertEquals(0, outcome.status());
        assertPrinted(outcome, "-javaagent:exs-agent.jar");
        assertPrinted(outcome, "doctor [-cp CLASSPATH] [HOST[:PORT]]");
        assertPrinted(outcome, "selftest [--json] [--seconds 1-90] [HOST[:PORT]]");
    }

    @OnEachJdk
    void anUnknownCommandIsWrongUsage(Path jdk) throws Exception {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent("docter");
        assertEquals(2, outcome.status());
        assertPrinted(outcome, "unknown command 'docter'");
    }

    @OnEachJdk
    void theDoctorLooksAtBothDevicesAndFinishesWell(Path jdk) throws Exception {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).jvm("-Dexs.buffer=1m").runAgent("doctor", "127.0.0.1:1");
        assertEquals(0, outcome.status(), printed(outcome));
        assertPrinted(outcome, "  * exs.buffer=1048576");
        assertPrinted(outcome, "Shared memory (soft)");
        assertPrinted(outcome, "kernel module ib_uverbs");
        assertPrinted(outcome, "A connect to 127.0.0.1:1 would use TCP.");
        assertNotPrinted(outcome, "WARNING");
    }

    /** As where it is not installed: the dynamic linker takes the first file of the name, which is none of a library. */
    @OnEachJdk
    void theDoctorAdvisesToInstallWhatAdaptersLack(Path jdk) throws Exception {
        Files.createFile(directory.resolve("librdmacm.so.1"));
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .environment("LD_LIBRARY_PATH", directory.toString())
                .runAgent("doctor");
        assertPrinted(outcome, "Install rdma-core's libraries: apt-get install");
        assertNotPrinted(outcome, "noexec");
    }

    /** Nothing can be put there. */
    @OnEachJdk
    void theDoctorUnpacksTheLibraryWhereProgramsWould(Path jdk) throws Exception {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).jvm("-Dexs.native=/proc").runAgent("doctor");
        assertEquals(1, outcome.status(), printed(outcome));
        assertPrinted(outcome, "the native library cannot be used");
    }

    @OnEachJdk
    void theDoctorNamesTheOptionThatAProgramWithoutTheAgentLacks(Path jdk) throws Exception {
        String provider = "-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider";
        String option = "--add-opens java.base/java.nio.channels.spi=ALL-UNNAMED";
        ChildJvm.Outcome without = ChildJvm.of(jdk).jvm(provider).runAgent("doctor");
        assertEquals(1, without.status(), printed(without));
        assertPrinted(without, "Start Java with " + option);
        ChildJvm.Outcome with =
                ChildJvm.of(jdk).jvm(provider, option.replace(' ', '=')).runAgent("doctor");
        assertEquals(0, with.status(), printed(with));
        assertNotPrinted(with, option);
    }

    @OnEachJdk
    void theDoctorsStatusTellsProblemsFromWrongUsage(Path jdk) throws Exception {
        assertEquals(
                1, ChildJvm.of(jdk).jvm("-Dexs.bufer=1m").runAgent("doctor").status());
        assertEquals(2, ChildJvm.of(jdk).runAgent("doctor", "a", "b").status());
    }
}

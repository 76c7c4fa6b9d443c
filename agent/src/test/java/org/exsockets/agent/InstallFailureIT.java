package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.Hello;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong: one warning, and the program runs on plain TCP. */
class InstallFailureIT {
    private static final String ON_TCP = "; running on plain TCP\n";

    @TempDir
    Path directory;

    @OnEachJdk
    void malformedAgentOption(Path jdk) {
        ChildJvm.of(jdk)
                .agent(TestJars.agent(), "device")
                .run(Echo.class)
                .printed("echo ok\n", "exs: agent option 'device': expected name=value" + ON_TCP);
        ChildJvm.of(jdk)
                .agent(TestJars.agent(), "spin=1,spin=2")
                .run(Echo.class)
                .printed("echo ok\n", "exs: agent option 'spin': given more than once" + ON_TCP);
    }

    @OnEachJdk
    void settingThatTheProviderRejects(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithDoubles(directory), "fail=setting")
                .run(Echo.class)
                .printed("echo ok\n", "exs: exs.fail: expected something else" + ON_TCP);
    }

    @OnEachJdk
    void errorInTheProvider(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithDoubles(directory), "fail=error")
                .run(Echo.class)
                .printed("echo ok\n", "exs: cannot install: java.lang.StackOverflowError: deep" + ON_TCP);
    }

    @OnEachJdk
    void hookThatCannotBeDefined(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithout(directory, "exs/hooks/java/net/ExsSocketHook.classdata"))
                .run(Echo.class)
                .printed(
                        "echo ok\n",
                        "exs: cannot install: java.io.IOException: missing in the agent's jar:"
                                + " hooks/java/net/ExsSocketHook.class" + ON_TCP);
    }

    /** They are woven when the first socket is made. */
    @OnEachJdk
    void serverSocketsThatCannotBeWoven(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithoutClass(directory, "org.exsockets.agent.tooling.ServerSocketWeaver"))
                .run(Echo.class)
                .printed(
                        "echo ok\n",
                        "exs: cannot weave server sockets: java.lang.NoClassDefFoundError:"
                                + " org/exsockets/agent/tooling/ServerSocketWeaver; sockets stay on plain TCP\n");
    }

    @OnEachJdk
    void missingProvider(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithoutClass(directory, "org.exsockets.install.Installation"))
                .run(Echo.class)
                .printed(
                        "echo ok\n",
                        "exs: cannot install: java.lang.NoClassDefFoundError: org/exsockets/install/Installation"
                                + ON_TCP);
    }

    @OnEachJdk
    void missingClasses(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithout(directory, TestJars.PACK))
                .run(Echo.class)
                .printed("echo ok\n", "exs: cannot install: java.lang.ExceptionInInitializerError" + ON_TCP);
    }

    @OnEachJdk
    void unsupportedOperatingSystem(Path jdk) {
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Dos.name=Plan 9")
                .run(Echo.class)
                .printed("echo ok\n", "exs: Linux is needed, this is Plan 9" + ON_TCP);
    }

    @OnEachJdk
    void securityManager(Path jdk) {
        assumeTrue(ChildJvm.featureOf(jdk) < 24, "later Java versions have no security manager");
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Djava.security.manager")
                .run(Hello.class);
        assertEquals(0, outcome.status());
        assertEquals("hello\n", outcome.out());
        assertEquals(
                "exs: a security manager is in force, whose checks only the platform's own sockets make"
                        + ON_TCP.strip(),
                outcome.err().lines().filter(line -> line.startsWith("exs: ")).reduce("", String::concat));
    }
}

package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.exsockets.agent.programs.AttachLate;
import org.exsockets.agent.programs.Complete;
import org.exsockets.agent.programs.DirectBuffers;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.OpenProvider;
import org.exsockets.agent.programs.OwnFactory;
import org.exsockets.agent.programs.Retransformer;
import org.exsockets.agent.programs.Socks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The hooks, observed through a double of the provider that prints whenever one calls it. */
class HooksIT {
    private static final String TWO_CONNECTIONS = "socket hook\n".repeat(4);
    private static final String ECHO = "listener hook\n" + TWO_CONNECTIONS + "echo ok\n";
    private static final String PROVIDER = "provider hook\nthe JDK's\nprovider hook\ntrue\n";
    private static final String ATTACHED_LATE =
            "attached\n" + TWO_CONNECTIONS + "a listener from before works\n" + ECHO + PROVIDER;

    @TempDir
    static Path directory;

    private static Path jar;

    @BeforeAll
    static void makeJar() throws IOException {
        jar = TestJars.agentWithDoubles(directory);
    }

    @OnEachJdk
    void everyPlatformSocketPassesThroughTheHookAndWorksBehindTheBridge(Path jdk) {
        ChildJvm.of(jdk).agent(jar).run(Echo.class).printed(ECHO);
    }

    @OnEachJdk
    void everyUseOfTheSelectorProviderPassesThroughTheHook(Path jdk) {
        ChildJvm.of(jdk).agent(jar).run(OpenProvider.class).printed(PROVIDER);
    }

    @OnEachJdk
    void everyUseOfTheAsynchronousProviderPassesThroughTheHook(Path jdk) {
        String hook = "asynchronous provider hook\n";
        ChildJvm.of(jdk).agent(jar).run(Complete.class).printed(hook + hook + hook + "the JDK's\nfiles: the JDK's\n");
    }

    @OnEachJdk
    void assertionsInTheJdkHold(Path jdk) {
        ChildJvm.of(jdk).jvm("-esa").agent(jar).run(Echo.class).printed(ECHO);
    }

    @OnEachJdk
    void oldPlatformImplementationWorksBehindTheBridge(Path jdk) {
        assumeTrue(ChildJvm.featureOf(jdk) == 17, "Java 18 dropped the old implementation");
        ChildJvm.of(jdk)
                .jvm("-Djdk.net.usePlainSocketImpl=true")
                .agent(jar)
                .run(Echo.class)
                .printed(ECHO);
        attaching(jdk)
                .jvm("-Djdk.net.usePlainSocketImpl=true")
                .run(AttachLate.class, jar.toString())
                .printed(ATTACHED_LATE);
    }

    @OnEachJdk
    void bridgeStandsBehindSocksProxies(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).agent(jar).run(Socks.class);
        // The proxy's thread and the client's print in no particular order.
        assertEquals(
                "listener hook\n" + "proxy sent 42 for 192.0.2.1\n".repeat(2) + "socket hook\n".repeat(4),
                outcome.out().lines().sorted().map(line -> line + "\n").collect(Collectors.joining()));
        assertEquals("", outcome.err());
    }

    @OnEachJdk
    void programsOwnSocketFactoryIsAskedInsteadOfTheHook(Path jdk) {
        ChildJvm.of(jdk).agent(jar).run(OwnFactory.class).printed("read 42\n");
    }

    @OnEachJdk
    void hooksSurviveAnotherAgentThatTransformsTheSameClassesLater(Path jdk) throws IOException {
        Path other = TestJars.foreignAgent(directory, Retransformer.class);
        ChildJvm.of(jdk).agent(jar).agent(other).run(Echo.class).printed(ECHO);
        ChildJvm.of(jdk).agent(jar).agent(other).run(OpenProvider.class).printed(PROVIDER);
    }

    @OnEachJdk
    void directBuffersAndMappedFilesPassThroughTheHook(Path jdk) {
        ChildJvm program = ChildJvm.of(jdk).agent(jar, "direct=watched");
        if (ChildJvm.featureOf(jdk) > 23) {
            program.jvm("--sun-misc-unsafe-memory-access=allow");
        }
        program.run(DirectBuffers.class)
                .printed("allocating 1048577\nfreeing 1048577\nallocating 2097152\nfreeing 2097152\n"
                        + "freeing 3145728\nas if nothing had happened\n");
    }

    @OnEachJdk
    void agentGivenTwiceIsHarmless(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).agent(jar).agent(jar).run(Echo.class);
        outcome.printed(ECHO, "exs: the agent is given more than once; only the first one counts\n");
    }

    @OnEachJdk
    void lateAgentHooksWhatComesAfterItAndSparesListenersFromBefore(Path jdk) {
        attaching(jdk).run(AttachLate.class, jar.toString()).printed(ATTACHED_LATE);
    }

    @OnEachJdk
    void lateAgentLeavesChannelsAloneInAProgramThatHoldsSelectors(Path jdk) {
        ChildJvm.Outcome outcome = attaching(jdk).run(AttachLate.class, jar.toString(), "selector");
        assertTrue(outcome.out().endsWith(ECHO + "the JDK's\ntrue\n"), outcome.out());
        assertEquals("exs: selectors were opened before the agent came; channels stay on plain TCP\n", outcome.err());
    }

    private static ChildJvm attaching(Path jdk) {
        return ChildJvm.of(jdk).jvm("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading");
    }
}

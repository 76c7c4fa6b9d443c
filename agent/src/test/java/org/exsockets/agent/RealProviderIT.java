package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.exsockets.agent.programs.Complete;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.InstallFactories;
import org.exsockets.agent.programs.OpenProvider;
import org.exsockets.agent.programs.Select;

/** The packaged agent with the provider it carries: the program's bytes go over EXS. */
class RealProviderIT {
    /** Without the agent: what EXS needs, and what keeps JDKs from 24 on from warning. */
    private static final String[] OPEN = {
        "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"
    };

    private static final String ASYNCHRONOUS_PROVIDER =
            "-Djava.nio.channels.spi.AsynchronousChannelProvider=org.exsockets.ExsAsynchronousChannelProvider";

    @OnEachJdk
    void socketsTravelOverExs(Path jdk) {
        ChildJvm.Outcome outcome =
                ChildJvm.of(jdk).agent(TestJars.agent(), "stats=stderr").run(Echo.class);
        assertOverExs(4, "echo ok\n", outcome);
    }

    @OnEachJdk
    void channelsTravelOverExs(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Dexs.stats=stderr")
                .run(Select.class);
        assertOverExs(2, "select ok\n", outcome);
    }

    @OnEachJdk
    void channelsTravelOverExsWithoutTheAgent(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .classPath(TestJars.agent())
                .jvm("-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider")
                .jvm(OPEN)
                .jvm("-Dexs.stats=stderr")
                .run(Select.class);
        assertOverExs(2, "select ok\n", outcome);
    }

    @OnEachJdk
    void asynchronousChannelsTravelOverExs(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Dexs.stats=stderr")
                .run(Complete.class);
        assertOverExs(2, "ours\nfiles: the JDK's\n", outcome);
    }

    @OnEachJdk
    void asynchronousChannelsTravelOverExsWithoutTheAgent(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .classPath(TestJars.agent())
                .jvm(OPEN)
                .jvm(ASYNCHRONOUS_PROVIDER, "-Dexs.stats=stderr")
                .run(Complete.class);
        assertOverExs(2, "ours\nfiles: the JDK's\n", outcome);
    }

    @OnEachJdk
    void agentLeavesTheNamedAsynchronousProviderAlone(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .agent(TestJars.agent(), "stats=stderr")
                .jvm(ASYNCHRONOUS_PROVIDER)
                .run(Complete.class);
        assertOverExs(2, "ours\nfiles: the JDK's\n", outcome);
    }

    @OnEachJdk
    void asynchronousChannelsWorkWhereExsIsSwitchedOff(Path jdk) {
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Dexs.enabled=false")
                .run(Complete.class)
                .printed("the JDK's\nfiles: the JDK's\n");
        ChildJvm.of(jdk)
                .classPath(TestJars.agent())
                .jvm(ASYNCHRONOUS_PROVIDER, "-Dexs.enabled=false")
                .run(Complete.class)
                .printed("ours\nfiles: the JDK's\n");
    }

    @OnEachJdk
    void socketsTravelOverExsWithoutTheAgent(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .classPath(TestJars.agent())
                .jvm(OPEN)
                .jvm("-Dexs.stats=stderr")
                .run(InstallFactories.class);
        assertOverExs(4, "echo ok\nfactory already defined\n", outcome);
    }

    @OnEachJdk
    void agentAndPropertyTogetherAreAsGoodAsEither(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk)
                .agent(TestJars.agent(), "stats=stderr")
                .jvm("-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider")
                .run(Select.class);
        assertOverExs(2, "select ok\n", outcome);
    }

    @OnEachJdk
    void switchedOffThereIsNothingButTheJdk(Path jdk) {
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Dexs.enabled=false", "-Dexs.stats=stderr")
                .run(OpenProvider.class)
                .printed("the JDK's\ntrue\n");
    }

    @OnEachJdk
    void misspeltSettingMeansOneWarningAndTcp(Path jdk) {
        ChildJvm.Outcome outcome =
                ChildJvm.of(jdk).agent(TestJars.agent(), "devise=soft").run(OpenProvider.class);
        assertEquals("the JDK's\ntrue\n", outcome.out());
        assertTrue(outcome.err().startsWith("exs: 1 problem"), outcome.err());
        assertTrue(outcome.err().contains("devise"), outcome.err());
        assertTrue(outcome.err().endsWith("\nexs: running on plain TCP\n"), outcome.err());
    }

    /** Both ends are in the one process, so each connection counts twice. */
    private static void assertOverExs(int ends, String printed, ChildJvm.Outcome outcome) {
        assertEquals(printed, outcome.out());
        String stats = outcome.err();
        assertEquals(1, stats.lines().count(), stats);
        assertTrue(stats.startsWith("{\"connections\":{\"soft\":" + ends + ",\"disni\":0,\"tcp\":0}"), stats);
    }
}

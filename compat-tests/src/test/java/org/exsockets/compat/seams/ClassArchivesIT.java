package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Class data sharing: archives that the JVM makes of a program's classes, made without the agent and used with it. */
final class ClassArchivesIT extends SeamTest {
    /** What any agent makes a JVM say that finds another module than when the archive was made; nothing on JDK 17. */
    private static final String OTHER_MODULES = "java.instrument specified during runtime but not during dump time";

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void programRunsFromAnArchiveOfItsClasses(Transport transport) throws Exception {
        Path jar = jar();
        Path archive = directory.resolve("program.jsa");
        run("made", Transport.TCP, jar, "-XX:ArchiveClassesAtExit=" + archive);
        assertTrue(Files.exists(archive));
        ProgramJvm jvm =
                run("used", transport, jar, "-XX:SharedArchiveFile=" + archive, "-Xlog:class+load:file=loaded");
        assertEquals("", unexpected(jvm));
        assertSource(jvm, "shared objects file (top)");
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void programRunsWithoutAnyArchive(Transport transport) throws Exception {
        assertEquals("", run("off", transport, jar(), "-Xshare:off").errors());
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void programRunsFromAnAheadOfTimeCache(Transport transport) throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "the JDK has such caches from 25 on");
        Path jar = jar();
        Path cache = directory.resolve("program.aot");
        run("made", Transport.TCP, jar, "--add-modules", "java.instrument", "-XX:AOTCacheOutput=" + cache);
        ProgramJvm jvm = transport == Transport.TCP
                ? run(
                        "used",
                        transport,
                        jar,
                        "--add-modules",
                        "java.instrument",
                        "-XX:AOTCache=" + cache,
                        "-XX:AOTMode=on")
                : run("used", transport, jar, "-XX:AOTCache=" + cache, "-XX:AOTMode=on");
        assertEquals("", jvm.errors());
    }

    @Test
    void cacheThatWasMadeWithTheAgentIsAsGood() throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "the JDK has such caches from 25 on");
        Path jar = jar();
        Path cache = directory.resolve("program.aot");
        run("made", Transport.SOFT, jar, "-XX:AOTCacheOutput=" + cache);
        assertEquals(
                "", run("used", Transport.SOFT, jar, "-XX:AOTCache=" + cache).errors());
    }

    private ProgramJvm run(String name, Transport transport, Path jar, String... options) throws Exception {
        List<String> all = new ArrayList<>(agent(name, transport));
        all.addAll(List.of(options));
        all.addAll(List.of("-cp", jar.toString(), Conversation.class.getName()));
        ProgramJvm jvm = start(name, Path.of(ProgramJvm.javaTool("java")), all);
        assertTrue(jvm.awaitEnd().contains(CONVERSED.get(0)), jvm::quoted);
        if (transport != Transport.TCP) {
            assertOverExs(jvm, 6);
        }
        return jvm;
    }

    /** {@return what the JVM says, but for what it says with every agent} */
    private static String unexpected(ProgramJvm jvm) throws Exception {
        return jvm.errors().contains(OTHER_MODULES) ? "" : jvm.errors();
    }

    private void assertSource(ProgramJvm jvm, String source) throws Exception {
        String loaded = Files.readString(directory.resolve("used").resolve("loaded"));
        assertTrue(loaded.contains(Conversation.class.getName() + " source: " + source), jvm::quoted);
    }
}

package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Class data sharing: archives that the JVM makes of a program's classes, with the agent or without. */
final class ClassArchivesIT extends SeamTest {
    /** What any agent makes a JVM say that finds another module than when the archive was made; nothing on JDK 17. */
    private static final String OTHER_MODULES = "java.instrument specified during runtime but not during dump time";

    private static final String ARCHIVE = "shared objects file";

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
        assertSource(jvm, ARCHIVE + " (top)");
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

    /** The only way to have the classes of EXS in one: the JVM finds those of other class loaders by their bytes. */
    @Test
    void cacheThatWasMadeWithTheAgentHasTheClassesOfExs() throws Exception {
        Path jar = jar();
        Path cache = cacheMadeWithTheAgent(jar);
        ProgramJvm jvm = run(
                "used", Transport.SOFT, jar, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load:file=loaded");
        assertEquals("", jvm.errors());
        assertSource(jvm, ARCHIVE);
        List<String> exs = loaded("used")
                .filter(line -> line.contains(" org.exsockets."))
                .filter(line -> !line.contains(" org.exsockets.compat."))
                .toList();
        long archived = exs.stream().filter(line -> line.contains(ARCHIVE)).count();
        assertTrue(archived > 200, () -> archived + " of " + exs.size() + ": " + exs);
        assertTrue(archived >= 0.9 * exs.size(), () -> archived + " of " + exs.size() + ": " + exs);
    }

    /** The JVM then refuses the cache, and its own archive with it. */
    @Test
    void programWithoutTheAgentRunsWithACacheThatWasMadeWithIt() throws Exception {
        Path jar = jar();
        Path cache = cacheMadeWithTheAgent(jar);
        run("used", Transport.TCP, jar, "-XX:AOTCache=" + cache, "-Xlog:class+load:file=loaded");
        assertEquals(0, loaded("used").filter(line -> line.contains(ARCHIVE)).count());
    }

    private Path cacheMadeWithTheAgent(Path jar) throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "the JDK has such caches from 25 on");
        Path cache = directory.resolve("program.aot");
        run("made", Transport.SOFT, jar, "-XX:AOTCacheOutput=" + cache);
        return cache;
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
        String line = Conversation.class.getName() + " source: " + source;
        assertTrue(loaded("used").anyMatch(loaded -> loaded.contains(line)), jvm::quoted);
    }

    private Stream<String> loaded(String program) throws Exception {
        return Files.readAllLines(directory.resolve(program).resolve("loaded")).stream();
    }
}

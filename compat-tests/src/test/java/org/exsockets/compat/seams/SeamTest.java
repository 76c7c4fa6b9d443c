package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Starts the programs, and ends what a test has left. */
@Tag("seams")
@TimeLimit(LONG)
abstract class SeamTest {
    static final List<String> CONVERSED = List.of("exchanged 60000");
    private static final String HEAP = "-Xmx256m";

    @TempDir
    Path directory;

    private final List<ProgramJvm> started = new ArrayList<>();

    @AfterEach
    void endPrograms() {
        started.forEach(ProgramJvm::close);
    }

    static String agentJar() {
        return Path.of(System.getProperty("compat.agent")).toAbsolutePath().toString();
    }

    /** {@return the agent, unless the transport is TCP, and what it writes} */
    List<String> agent(String name, Transport transport) {
        return transport == Transport.TCP ? List.of() : ProgramJvm.agent(directory.resolve(name));
    }

    /** Starts a program with the agent, unless the transport is TCP. */
    ProgramJvm start(String name, Transport transport, List<String> options, Class<?> program, String... arguments)
            throws Exception {
        List<String> all = new ArrayList<>(List.of(ProgramJvm.QUICK));
        all.addAll(options);
        all.addAll(agent(name, transport));
        all.addAll(List.of("-cp", classes().toString(), program.getName()));
        all.addAll(List.of(arguments));
        return start(name, Path.of(ProgramJvm.javaTool("java")), all);
    }

    ProgramJvm start(String name, Path java, List<String> arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(HEAP));
        all.addAll(arguments);
        ProgramJvm jvm = new ProgramJvm(name, directory, java, all);
        started.add(jvm);
        return jvm;
    }

    /** Starts a program that is no JVM. {@code command}: all of it, for the shell, but for the arguments */
    final ProgramJvm startNative(String name, String command, String... arguments) throws Exception {
        Path script = script("start-" + name, "shift 2\nexec " + command + " \"$@\""); // Options of a JVM.
        return start(name, script, List.of(arguments));
    }

    /** Lets other users into {@link #directory}. {@return the agent there} */
    final Path agentForEverybody() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.copy(Path.of(agentJar()), directory.resolve("agent.jar"));
    }

    /** {@return a new directory that everybody may write to} */
    final Path directoryForEverybody(String name) throws IOException {
        Path own = Files.createDirectory(directory.resolve(name));
        return Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** {@return a program of that name, which becomes {@code java} by a command that ends in front of it} */
    final Path javaBy(String name, String command) throws IOException {
        return script(name, "exec " + command + ProgramJvm.javaTool("java") + " \"$@\"");
    }

    /** {@return a program for everybody, of lines for the shell} */
    final Path script(String name, String lines) throws IOException {
        Path script = directory.resolve(name);
        Files.writeString(script, "#!/bin/sh\n" + lines + "\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** @param java or what becomes it, or another program that takes no notice of {@code -version} */
    static void assumeRuns(Path java, String otherwise) throws Exception {
        Process tried = new ProcessBuilder(java.toString(), "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Patience.await("java -version", tried::waitFor);
        Assumptions.assumeTrue(tried.exitValue() == 0, otherwise);
    }

    /** {@return a jar with the programs} */
    Path jar() throws Exception {
        Path jar = directory.resolve("programs.jar");
        String programs = Conversation.class.getPackageName().replace('.', '/');
        tool("jar", "--create", "--file", jar.toString(), "-C", classes().toString(), programs);
        return jar;
    }

    static void tool(String name, String... arguments) {
        ToolProvider tool = ToolProvider.findFirst(name).orElseThrow();
        assertEquals(0, tool.run(System.out, System.err, arguments), () -> name + " " + List.of(arguments));
    }

    /** Checks that the program had its conversation, over the transport, and that the JVM had nothing to say. */
    static void assertConversed(ProgramJvm jvm, Transport transport) throws Exception {
        assertEquals(CONVERSED, jvm.awaitEnd());
        assertEquals("", jvm.errors());
        if (transport != Transport.TCP) {
            assertOverExs(jvm, 6);
        }
    }

    static void assertOverExs(ProgramJvm jvm, int connections) throws Exception {
        String statistics = jvm.statistics();
        assertEquals(connections, Transport.connections(statistics, "soft"), jvm::quoted);
        assertEquals(0, Transport.connections(statistics, "tcp"), jvm::quoted);
    }

    /** Checks that the program had its conversation over TCP, and was told why in one line. */
    static void assertConversedOverTcp(ProgramJvm jvm, String why) throws Exception {
        assertEquals(CONVERSED, jvm.awaitEnd());
        List<String> told;
        try (Stream<String> lines = jvm.errors().lines()) {
            told = lines.filter(line -> line.startsWith("exs: ")).toList();
        }
        assertEquals(1, told.size(), jvm.errors());
        assertTrue(told.get(0).contains(why) && told.get(0).endsWith("; running on plain TCP"), told.get(0));
    }
}

package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs in named modules that ask for no module but java.base. */
final class ModulesIT extends SeamTest {
    private static final String PROGRAM = "conversation/" + Conversation.class.getName();

    private Path modules;

    /** A module of the program's class and a descriptor, which names its package only. */
    @BeforeEach
    void makeModule() throws Exception {
        modules = Files.createDirectory(directory.resolve("modules"));
        String name = Conversation.class.getName().replace('.', '/') + ".class";
        Path copy = modules.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(classes().resolve(name), copy);
        Path source = Files.writeString(
                directory.resolve("module-info.java"),
                "module conversation { exports " + Conversation.class.getPackageName() + "; }");
        tool("javac", "-d", modules.toString(), source.toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void programInAModuleRunsWithTheAgent(Transport transport) throws Exception {
        assertConversed(run(agent("program", transport), modules.toString()), transport);
    }

    @Test
    void providersWorkFromTheModulePath() throws Exception {
        ProgramJvm jvm = run(withoutAgent(), modules + ":" + agentJar());
        assertEquals(CONVERSED, jvm.awaitEnd());
        assertEquals("", jvm.errors());
        assertOverExs(jvm, 4);
    }

    private List<String> withoutAgent() {
        return List.of(
                "--add-modules",
                "org.exsockets",
                "--add-exports",
                "java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens",
                "java.base/java.nio.channels.spi=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Dexs.stats=" + directory.resolve("program").resolve("stats"),
                "-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider",
                "-Djava.nio.channels.spi.AsynchronousChannelProvider=org.exsockets.ExsAsynchronousChannelProvider");
    }

    private ProgramJvm run(List<String> options, String modulePath) throws Exception {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--module-path", modulePath, "--module", PROGRAM));
        return start("program", Path.of(ProgramJvm.javaTool("java")), all);
    }
}

package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.Hello;
import org.exsockets.agent.programs.LoadNativeLibrary;
import org.exsockets.agent.programs.Look;
import org.exsockets.agent.programs.OpenProvider;
import org.exsockets.agent.programs.OwnFactory;
import org.exsockets.agent.programs.OwnLoader;
import org.exsockets.agent.programs.PrintProperty;
import org.exsockets.agent.programs.Socks;
import org.exsockets.agent.programs.WithoutAgent;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent in front of programs that must not notice it. */
class IsolationIT {
    @TempDir
    Path directory;

    @OnEachJdk
    void programPrintsWhatItPrintsWithoutTheAgent(Path jdk) {
        ChildJvm.of(jdk).agent(TestJars.agent()).run(Hello.class).printed("hello\n", "hello\n");
        ChildJvm.of(jdk).agent(TestJars.agent()).run(Echo.class).printed("echo ok\n");
    }

    @OnEachJdk
    void nothingOfOursIsVisibleToTheProgram(Path jdk) {
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .run(
                        Look.class,
                        "org.exsockets.install.Installation",
                        "org.exsockets.config.Settings",
                        "org.exsockets.agent.tooling.Installer",
                        "org.exsockets.agent.bootstrap.HookClasses",
                        "net.bytebuddy.jar.asm.ClassReader",
                        "org.slf4j.LoggerFactory",
                        "com.ibm.disni.verbs.RdmaCmId")
                .printed("invisible\n".repeat(7));
    }

    @OnEachJdk
    void programSeesItsOwnVersionsOfLibrariesThatTheAgentBrings(Path jdk) throws IOException {
        Path asm = TestJars.libraryWith(
                Files.createDirectory(directory.resolve("asm")), "net.bytebuddy.jar.asm.ClassReader", "own ASM");
        Path slf4j = TestJars.libraryWith(
                Files.createDirectory(directory.resolve("slf4j")), "org.slf4j.LoggerFactory", "own slf4j");
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .classPath(asm)
                .classPath(slf4j)
                .run(Look.class, "net.bytebuddy.jar.asm.ClassReader", "org.slf4j.LoggerFactory")
                .printed("own ASM\nown slf4j\n");
    }

    @OnEachJdk
    void nativeLibraryLoadsSilentlyAndLeavesNothingBehind(Path jdk) throws IOException {
        try (JarFile jar = new JarFile(TestJars.agent().toFile())) {
            assumeTrue(
                    jar.getEntry("exs/native/linux-" + System.getProperty("os.arch") + "/libdisni.so") != null,
                    "there is no native library for " + System.getProperty("os.arch"));
        }
        ChildJvm.of(jdk)
                .agent(TestJars.agent())
                .jvm("-Djava.io.tmpdir=" + directory)
                .run(LoadNativeLibrary.class)
                .printed("loaded\n");
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @OnEachJdk
    void withoutTheAgentTheNativeLibraryIsRefusedInWords(Path jdk) {
        ChildJvm.of(jdk)
                .classPath(TestJars.agent())
                .run(LoadNativeLibrary.class)
                .printed("RDMA needs the agent: start the program with -javaagent:exs-agent.jar"
                        + " (or with --add-exports java.base/sun.nio.ch=ALL-UNNAMED)\n");
    }

    @OnEachJdk
    void servicesAndResourcesAreFoundInIsolation(Path jdk) throws IOException {
        ChildJvm.of(jdk)
                .agent(TestJars.agentWithDoubles(directory), "services=yes")
                .run(PrintProperty.class, "none")
                .printed("service in exs, package org.exsockets.install, resource"
                        + " !/exs/org/exsockets/install/ServiceDouble.classdata\nnull\n");
    }

    @OnEachJdk
    void socksProxiesKeepWorking(Path jdk) {
        ChildJvm.of(jdk).agent(TestJars.agent()).run(Socks.class).printed("proxy sent 42 for 192.0.2.1\n".repeat(2));
    }

    @OnEachJdk
    void programsOwnSocketFactoryKeepsWorking(Path jdk) {
        ChildJvm.of(jdk).agent(TestJars.agent()).run(OwnFactory.class).printed("read 42\n");
    }

    @OnEachJdk
    void nettyIsSteeredAwayFromNativeTransportsUnlessTheUserSaysOtherwise(Path jdk) {
        for (String property :
                List.of("io.netty.transport.noNative", "io.grpc.netty.shaded.io.netty.transport.noNative")) {
            ChildJvm.of(jdk)
                    .agent(TestJars.agent())
                    .run(PrintProperty.class, property)
                    .printed("true\n");
            ChildJvm.of(jdk)
                    .agent(TestJars.agent())
                    .jvm("-D" + property + "=false")
                    .run(PrintProperty.class, property)
                    .printed("false\n");
            ChildJvm.of(jdk)
                    .agent(TestJars.agent(), "netty=native")
                    .run(PrintProperty.class, property)
                    .printed("null\n");
        }
    }

    @OnEachJdk
    void entryPointsWithoutTheAgentLeadIntoIsolation(Path jdk) throws IOException {
        Path jar = TestJars.agentWithDoubles(directory);
        ChildJvm.of(jdk)
                .jvm("-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider")
                .classPath(jar)
                .run(WithoutAgent.class)
                .printed("factories in exs\nprovider in exs\ndouble opens no SocketChannel\n");
    }

    @OnEachJdk
    void agentLeavesAProviderAloneThatLeadsToExsAlready(Path jdk) throws IOException {
        Path jar = TestJars.agentWithDoubles(directory);
        ChildJvm.of(jdk)
                .agent(jar)
                .jvm("-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider")
                .classPath(jar)
                .run(WithoutAgent.class)
                .printed("factories in exs\nprovider in exs\ndouble opens no SocketChannel\n");
    }

    @OnEachJdk
    void jarLoadedOnceMoreSharesTheIsolatedLoader(Path jdk) throws IOException {
        Path jar = TestJars.agentWithDoubles(directory);
        ChildJvm.of(jdk).agent(jar).run(OwnLoader.class, jar.toString()).printed("the system's\nfactories in exs\n");
        ChildJvm.of(jdk).run(OwnLoader.class, jar.toString()).printed("its own\nfactories in exs\n");
    }

    @OnEachJdk
    void switchedOffItInstallsNothing(Path jdk) throws IOException {
        Path jar = TestJars.agentWithDoubles(directory);
        ChildJvm.of(jdk).agent(jar, "enabled=false").run(OpenProvider.class).printed("the JDK's\ntrue\n");
        ChildJvm.of(jdk)
                .agent(jar, "enabled=false")
                .run(PrintProperty.class, "io.netty.transport.noNative")
                .printed("null\n");
    }
}

package org.exsockets.bench.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How children are started: which JDK, which class path, which agent, where their logs go. Immutable.
 *
 * @param jdk home of the JDK the children run on
 * @param classPath class path of every child, absolute
 * @param agent the agent's jar
 * @param host the address that servers listen on
 * @param settings EXS settings for the EXS runs, each as {@code name=value}
 * @param jvmOptions options for every child's JVM
 * @param patience by how much to stretch every limit
 * @param logs directory for output and statistics
 * @param progress shows long waits for a child
 */
record ChildLauncher(
        Path jdk,
        String classPath,
        Path agent,
        String host,
        List<String> settings,
        List<String> jvmOptions,
        int patience,
        Path logs,
        Progress progress) {
    /** A small fixed heap for every child: four JVMs live at a time. */
    private static final String HEAP = "-Xmx512m";

    /** Options from the environment could put an agent in front of the TCP runs. */
    private static final Set<String> INHERITED_OPTIONS =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /**
     * Starts a JVM.
     *
     * @param name names the child in messages and its files in the log directory
     */
    ChildJvm start(String name, Transport transport, String mainClass, List<String> arguments) throws DemoFailure {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin").resolve("java").toString());
        command.add(HEAP);
        command.addAll(jvmOptions);
        command.add("-Ddemo.host=" + host);
        if (transport == Transport.EXS) {
            command.add("-javaagent:" + agent);
            command.add("-Dexs.stats=" + statistics(name));
            settings.forEach(setting -> command.add("-Dexs." + setting));
        }
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.addAll(arguments);
        File errors = logs.resolve(name + ".err").toFile();
        try {
            // The agent appends: what an earlier run left in a kept log directory must not pass for this run's proof.
            Files.deleteIfExists(statistics(name));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
            builder.environment().keySet().removeAll(INHERITED_OPTIONS);
            Process process = builder.start();
            return new ChildJvm(name, process, jdk, logs, progress);
        } catch (IOException e) {
            throw new DemoFailure(name + ": cannot start: " + e.getMessage(), e);
        }
    }

    /** {@return the limit of a wait that usually takes no longer than {@code usual}} */
    Duration limit(Duration usual) {
        return usual.multipliedBy(patience);
    }

    /** {@return the file in which a child leaves its statistics} */
    Path statistics(String name) {
        return logs.resolve(name + ".stats.json");
    }

    /** {@return this JVM's class path with absolute entries, so that it holds in any working directory} */
    static String ownClassPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }
}

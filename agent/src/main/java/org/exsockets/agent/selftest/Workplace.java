package org.exsockets.agent.selftest;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A directory for what the JVMs write, deleted when the command's JVM ends, and how such a JVM is started. */
final class Workplace {
    private static final String RULES = "exs.rules";
    private static final String HEAP = "-Xmx256m";

    private final Path directory;
    private final Path jar;

    Workplace() throws IOException {
        try {
            directory = Files.createTempDirectory("exs-selftest");
        } catch (IOException e) {
            throw new IOException("no directory for its files can be made: " + e.getMessage(), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::delete));
        try {
            jar = Path.of(Workplace.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException("where the jar lies: " + e.getMessage(), e);
        }
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    /** Between hosts EXS is used where a rule asks for it: unless the user has rules, one that does, for the doctor and the JVMs. */
    void useExsBetweenHosts() throws IOException {
        if (System.getProperty(RULES) == null && System.getenv("EXS_RULES") == null) {
            Path rules = Files.writeString(file("rules"), "both * * exs\n");
            System.setProperty(RULES, rules.toString());
        }
    }

    /** {@return what starts a JVM with the settings of this one} */
    ProcessBuilder jvm(Transport transport, Path statistics, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(HEAP);
        if (transport == Transport.EXS) {
            command.add("-javaagent:" + jar);
            for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith("exs.")) {
                    command.add("-D" + name + "=" + System.getProperty(name));
                }
            }
            command.add("-Dexs.stats=" + statistics); // The last one counts.
        }
        command.add("-cp");
        command.add(jar.toString());
        command.add(program.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // They may name an agent.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("JDK_JAVA_OPTIONS");
        return builder;
    }

    private void delete() {
        try (Stream<Path> files = Files.list(directory)) {
            files.map(Path::toFile).forEach(File::delete);
            Files.delete(directory);
        } catch (IOException e) {
            System.err.println("selftest: " + directory + " is left: " + e.getMessage());
        }
    }
}

package org.exsockets.compat.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The stacks of all threads of a JVM, virtual ones too, for who has to find out what hangs. Stateless. */
public final class Stacks {
    /** The JDK of the tests is that of all their processes. */
    private static final boolean HAS_VIRTUAL_THREADS = Runtime.version().feature() >= 21;

    /** As messages name it, which are read elsewhere: all tests run in the module's directory. */
    private static final String MODULE = "compat-tests";

    private static final Path HUNG = Path.of("target", "hung");

    /** Names of files that this process has written, in which later ones would be less telling. Guarded by the class. */
    private static final Set<String> KEPT = new HashSet<>();

    /** The test that runs, if it has told; one at a time. */
    private static volatile String test;

    private Stacks() {}

    /** {@return as the JDK's tools print them; or why they cannot} */
    public static String of(long pid) throws IOException {
        Path directory = Files.createTempDirectory("stacks");
        Path printed = directory.resolve("printed");
        Path threads = directory.resolve("threads");
        try {
            run(printed, "jstack", Long.toString(pid));
            if (HAS_VIRTUAL_THREADS) {
                run(directory.resolve("said"), "jcmd", Long.toString(pid), "Thread.dump_to_file", threads.toString());
            }
            return Files.readString(printed) + (Files.exists(threads) ? "\n" + Files.readString(threads) : "");
        } finally {
            for (String file : List.of("printed", "said", "threads")) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.delete(directory);
        }
    }

    private static void run(Path output, String tool, String... arguments) throws IOException {
        List<String> command = Stream.concat(Stream.of(ProgramJvm.javaTool(tool)), Stream.of(arguments))
                .collect(Collectors.toList());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(Patience.TOOL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Tells which test runs, or null. */
    static void nowOf(String name) {
        test = name;
    }

    /**
     * Writes into a file of {@code target/hung}, for the gate to print, what the threads of this process and of those that it has
     * started do in the project's own code. Of each test only the first time: what hangs then explains what hangs later.
     *
     * @return the file, or why there is none
     */
    static synchronized String keep() {
        String name = test != null ? test : caller();
        Path file = HUNG.resolve(name + ".txt");
        if (KEPT.add(name)) {
            try {
                Files.createDirectories(HUNG);
                Files.writeString(file, ofAll());
            } catch (IOException e) {
                return "no file: " + e;
            }
        }
        return Path.of(MODULE).resolve(file).toString();
    }

    /** {@return the class of the test, where none has told} */
    private static String caller() {
        String harness = Stacks.class.getPackageName() + ".";
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.startsWith("org.exsockets.") && !name.startsWith(harness))
                        .findFirst()
                        .orElse("unknown"));
    }

    private static String ofAll() throws IOException {
        StringBuilder all = new StringBuilder();
        List<Long> pids = Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        ProcessHandle.current().descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toList());
        for (long pid : pids) {
            all.append("---- process ").append(pid).append('\n');
            for (String thread : of(pid).split("\n\\s*\n")) {
                if (thread.contains("org.exsockets")) {
                    all.append(thread).append("\n\n");
                }
            }
        }
        return all.toString();
    }
}

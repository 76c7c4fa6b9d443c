package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link Thousands} in a JVM of its own, with one carrier and small buffers. */
public final class Carriers {
    private Carriers() {}

    /** Checks that every one of thousands of virtual threads that block at once on one carrier is served. */
    public static void assertThousandsAreServed() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Transport.peerArguments());
        command.add("-Djdk.virtualThreadScheduler.parallelism=1");
        command.add("-Djdk.virtualThreadScheduler.maxPoolSize=1");
        command.add("-Dexs.buffer=16k");
        command.add("-Dexs.test.host=" + TestHost.NAME);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Thousands.class.getName());
        File out = File.createTempFile("thousands", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out)
                    .start();
            try {
                Patience.await("the program ends", Patience.PROGRAM_SECONDS, process::waitFor);
            } finally {
                process.destroyForcibly().waitFor();
            }
            String printed = Files.readString(out.toPath());
            assertEquals(0, process.exitValue(), printed);
            assertTrue(printed.contains(Thousands.SERVED), printed);
        } finally {
            out.delete();
        }
    }
}

package org.exsockets.compat.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TestKeys;

/**
 * Where the programs of one test class run: a directory, and keys for all of them.
 *
 * @param directory is removed by whoever has made it
 */
record Stage(Path directory, TestKeys keys) {
    /** Makes it in a directory, which servers of other users may pass through. */
    static Stage in(Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        return new Stage(directory, TestKeys.in(directory));
    }

    /** {@return a new directory for one run} */
    Path newRun(String name) throws IOException {
        Path run = Files.createTempDirectory(directory, name + "-");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx--x--x"));
        return run;
    }

    /**
     * Starts one side.
     *
     * @param run a directory of {@link #newRun}
     * @param name of the side
     * @param options of the JVM
     * @param more arguments for the driver, behind its own
     */
    ProgramJvm start(Path run, String name, boolean agent, Driver driver, List<String> options, List<String> more)
            throws IOException {
        List<String> all = new ArrayList<>(
                List.of(System.getProperty("compat.programs.jvm").trim().split(" +")));
        all.add("-XX:ErrorFile=" + System.getProperty("compat.programs.crash"));
        all.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        all.addAll(keys.options());
        all.addAll(options);
        List<String> program = new ArrayList<>();
        program.add(driver.className());
        program.addAll(List.of(driver.arguments()));
        program.addAll(more);
        return new ProgramJvm(name, run, agent, all, ProgramClassPath.of(driver.module()), program);
    }
}

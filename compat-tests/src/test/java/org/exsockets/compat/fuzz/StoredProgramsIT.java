package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every program that once showed a difference does over EXS what it does over TCP. */
@Tag("fuzz")
class StoredProgramsIT {
    @Test
    void storedProgramsDoOverExsWhatTheyDoOverTcp() throws Exception {
        Path stored = Path.of(System.getProperty("compat.fuzz.programs"));
        List<Path> files;
        try (Stream<Path> all = Files.list(stored)) {
            files = all.filter(file -> file.toString().endsWith(".fuzz"))
                    .sorted()
                    .toList();
        }
        assertFalse(files.isEmpty(), "no programs in " + stored);
        Path again = Path.of(System.getProperty("compat.fuzz.again"));
        try (Campaign campaign = new Campaign(Campaign.tcp(), Campaign.exs(), again, System.out)) {
            for (Path file : files) {
                campaign.run(
                        FuzzProgram.read(file), file.getFileName().toString().replace(".fuzz", ""));
            }
            assertEquals("", campaign.end());
        }
    }
}

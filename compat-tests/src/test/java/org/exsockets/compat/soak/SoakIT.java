package org.exsockets.compat.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Mixed work between processes goes on right while faults befall them, for {@code exs.test.soak.seconds}: the same faults in
 * every build, or those of {@code exs.test.soak.seed}.
 */
@Tag("soak")
class SoakIT {
    private static final long SECONDS = Long.getLong("exs.test.soak.seconds", 20);
    private static final long SEED = Long.getLong("exs.test.soak.seed", 1);
    private static final int PROCESSES = Integer.getInteger("exs.test.soak.processes", 4);
    private static final int CLIENTS = Integer.getInteger("exs.test.soak.clients", 3);

    @Test
    void everyByteIsRightWhateverHappensToTheProcesses() throws Exception {
        Path directory = Path.of(System.getProperty("compat.soak.directory"));
        Files.createDirectories(directory);
        String again = "-Dit.test=SoakIT -Dexs.test.soak.seed=" + SEED + " -Dexs.test.soak.seconds=" + SECONDS
                + " -Dexs.test.soak.faults=" + System.getProperty("exs.test.soak.faults", "all")
                + " -Dexs.test.soak.processes=" + PROCESSES + " -Dexs.test.soak.clients=" + CLIENTS;
        System.out.println("soak: " + again);
        Path own = Files.createTempDirectory(directory, "run-");
        try (Soak soak = new Soak(SEED, faults(), PROCESSES, CLIENTS, own, System.out)) {
            List<String> wrong = soak.run(SECONDS);
            assertEquals("", String.join(System.lineSeparator(), wrong), () -> "again: " + again + ", notes: " + own);
        }
    }

    private static Set<Fault> faults() {
        String named = System.getProperty("exs.test.soak.faults", "all");
        if (named.equals("all")) {
            return EnumSet.allOf(Fault.class);
        }
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (String name : named.split(",")) {
            if (!name.equals("none")) {
                faults.add(Fault.valueOf(name.trim().toUpperCase(Locale.ROOT)));
            }
        }
        return faults;
    }
}

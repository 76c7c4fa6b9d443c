package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private static final long OWN = ProcessHandle.current().pid();

    @Test
    void processHasStartedWhenTheKernelSaysSo() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        // proc(5): field 22, and the third one follows the name in parentheses.
        String starttime = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[22 - 3];
        assertEquals(Long.parseLong(starttime), ProcessIdentity.startTicks(OWN));
        assertEquals(Long.parseLong(starttime), ProcessIdentity.own().startTicks());
    }

    @Test
    void processLivesThatHasStartedThen() throws IOException {
        assertTrue(ProcessIdentity.lives(OWN, ProcessIdentity.startTicks(OWN)));
    }

    @Test
    void processThatHasStartedAtAnotherTimeIsAnother() throws IOException {
        assertFalse(ProcessIdentity.lives(OWN, ProcessIdentity.startTicks(OWN) + 1));
    }

    @Test
    void processThatHasEndedDoesNotLive() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        assertFalse(ProcessIdentity.lives(ended.pid(), 0));
    }
}

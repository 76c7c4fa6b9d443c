package org.exsockets.compat.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Test;

class CoreWaitsTest {
    private static Process onFirstCore(String command) throws IOException {
        return new ProcessBuilder("taskset", "-c", "0", "sh", "-c", command).start();
    }

    @Test
    @TimeLimit
    void twoThatShareACoreWaitForIt() throws Exception {
        Process one = onFirstCore("while :; do :; done");
        Process other = onFirstCore("while :; do :; done");
        try {
            while (CoreWaits.of(one.pid()) == 0 || CoreWaits.of(other.pid()) == 0) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } finally {
            one.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @Test
    void whatHasEndedWaitsForNothing() throws Exception {
        Process ended = onFirstCore("exit");
        ended.waitFor();
        assertEquals(0, CoreWaits.of(ended.pid()));
    }
}

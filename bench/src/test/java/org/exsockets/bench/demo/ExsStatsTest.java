package org.exsockets.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExsStatsTest {
    @Test
    void addsUpDevicesAndKindsOfTransfer() throws DemoFailure {
        ExsStats stats = ExsStats.parse("{\"connections\":{\"soft\":3,\"disni\":1,\"tcp\":2},"
                + "\"bytes\":{\"sent\":{\"direct\":10,\"indirect\":5},\"received\":{\"direct\":7,\"indirect\":100}},"
                + "\"fallbacks\":{\"no-listener\":2}}");

        assertEquals(4, stats.exsConnections());
        assertEquals(2, stats.tcpConnections());
        assertEquals(15, stats.sentBytes());
        assertEquals(107, stats.receivedBytes());
        assertEquals(Map.of("no-listener", 2L), stats.fallbacks());
    }

    @Test
    void namesTheFigureThatIsMissing() {
        DemoFailure failure = assertThrows(
                DemoFailure.class, () -> ExsStats.parse("{\"connections\":{\"soft\":3,\"disni\":1,\"tcp\":2}}"));

        assertTrue(failure.getMessage().contains("/bytes/sent/direct"), failure.getMessage());
    }

    @Test
    void refusesAJvmThatLeftNoStatistics(@TempDir Path directory) {
        DemoFailure failure =
                assertThrows(DemoFailure.class, () -> ExsStats.read(directory.resolve("server.stats.json")));

        assertTrue(failure.getMessage().contains("nothing went over EXS"), failure.getMessage());
    }
}

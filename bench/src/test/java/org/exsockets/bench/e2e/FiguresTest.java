package org.exsockets.bench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of the documentation are those of the data. */
class FiguresTest {
    private static final String DATA = """
            # JDK 17, 2 cores, commit 1234567
            # bench/compare --rounds 3: medians of 3 rounds
            row,transport,unit,median,p99_ns,cpu,placement,failure
            round trip channel 64 B,TCP,us p50,20.0,100000,40,near,
            round trip channel 64 B,EXS,us p50,1.0,105000,,near,
            connect channel,TCP,1/s,10000,500,9,-,
            connect channel,EXS,1/s,9000,500,9,-,
            other,TCP,ms,1,1,1,-,
            other,EXS,ms,1,1,1,-,none
            """;

    private static final String PAGE = """
            Before
            <!-- figures data.csv | ^(round|connect) | median, p99, CPU -->
            stale
            <!-- end of figures -->
            After
            """;

    @TempDir
    private Path results;

    @Test
    void aTableHasALinePerRowAndBoldWhereExsIsWorse() throws IOException {
        Files.writeString(results.resolve("data.csv"), DATA);
        String filled = Figures.filled(PAGE, results);
        assertEquals("""
                Before
                <!-- figures data.csv | ^(round|connect) | median, p99, CPU -->

                | median, p99, CPU | TCP | EXS | EXS/TCP |
                |---|---|---|---|
                | round trip channel 64 B, near, µs | 20.0 / 100 / 40.0 | 1.00 / 105 / – | 0.05 / **1.05** / – |
                | connect channel, 1/s | 10,000 / 0.50 / 9.00 | 9,000 / 0.50 / 9.00 | **0.90** / 1.00 / 1.00 |

                *JDK 17, 2 cores, commit 1234567*\s\s
                *bench/compare --rounds 3: medians of 3 rounds*\s\s
                <!-- end of figures -->
                After
                """, filled);
        assertEquals(filled, Figures.filled(filled, results));
    }

    @Test
    void theOriginStandsBelowTheLastTableOfAFile() throws IOException {
        Files.writeString(results.resolve("data.csv"), DATA);
        String filled = Figures.filled(PAGE + PAGE, results);
        assertEquals(filled.lastIndexOf("commit 1234567"), filled.indexOf("commit 1234567"));
        assertTrue(filled.indexOf("commit 1234567") > filled.lastIndexOf("connect channel"));
    }

    @Test
    void ofManyTransportsExsIsJudged() throws IOException {
        Files.writeString(results.resolve("data.csv"), """
                # emulated
                row,transport,unit,median,p99_ns,cpu,placement,failure
                stream,TCP,MB/s,100,,3.0,-,
                stream,EXS,MB/s,90,,1.5,-,
                stream,ib_write,MB/s,200,,,-,
                stream of packets,EXS,MB/s,80,,2.0,-,
                """);
        String filled =
                Figures.filled(PAGE.replace("^(round|connect)", "stream").replace("p99, ", ""), results);
        assertTrue(filled.contains("""
                | median, CPU | TCP | EXS | ib_write | EXS/TCP |
                |---|---|---|---|---|
                | stream, MB/s | 100 / 3.00 | 90.0 / 1.50 | 200 / – | **0.90** / 0.50 |
                | stream of packets, MB/s | – / – | 80.0 / 2.00 | – / – | – / – |
                """), filled);
    }

    @Test
    void aTableWithoutRowsIsAnError() throws IOException {
        Files.writeString(results.resolve("data.csv"), DATA);
        assertThrows(IOException.class, () -> Figures.filled(PAGE.replace("^(round|connect)", "nothing"), results));
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/performance.md"})
    void thePagesAreAsTheirData(String name) throws IOException {
        String page = Files.readString(Path.of("..", name));
        assertEquals(Figures.filled(page, Path.of("results")), page, "run bench/figures");
    }
}

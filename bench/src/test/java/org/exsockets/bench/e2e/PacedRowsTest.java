package org.exsockets.bench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.exsockets.bench.e2e.endpoint.Face;
import org.junit.jupiter.api.Test;

class PacedRowsTest {
    private static final List<String> DIMENSIONS =
            List.of("threads", "gapNs", "face", "server", "size", "warmUp", "virtual", "burst", "fresh");

    private static List<Row> rows() {
        Plan.Choice choice = new Plan.Choice(
                EnumSet.of(Plan.Group.PACED),
                EnumSet.allOf(Condition.class),
                List.of(Face.values()),
                List.of(64),
                List.of(1024),
                false,
                List.of(100),
                0,
                1,
                1,
                1,
                0.5,
                new PacedRows.Lengths(2, 20, true),
                "");
        return Plan.rows(choice);
    }

    @Test
    void everyValueOfEveryDimensionStandsInTwoRowsAtLeast() {
        List<Row> rows = rows();
        for (String dimension : DIMENSIONS) {
            Map<String, Long> counts = rows.stream()
                    .filter(row -> row.spec().has(dimension))
                    .collect(Collectors.groupingBy(row -> row.spec().text(dimension), Collectors.counting()));
            assertTrue(!counts.isEmpty(), dimension);
            counts.forEach((value, count) -> assertTrue(count >= 2, dimension + " " + value));
        }
        for (Condition condition : Condition.values()) {
            assertTrue(rows.stream().filter(row -> row.condition() == condition).count() >= 2, condition::toString);
        }
        Set<String> gaps = rows.stream().map(row -> row.spec().text("gapNs")).collect(Collectors.toSet());
        assertTrue(gaps.containsAll(Arrays.stream(PacedRows.GAPS_US)
                .mapToObj(gapUs -> Integer.toString(gapUs * 1000))
                .toList()));
    }

    @Test
    void namesAreUnique() {
        List<String> names = rows().stream().map(Row::name).collect(Collectors.toCollection(ArrayList::new));
        assertEquals(names.size(), Set.copyOf(names).size(), names::toString);
        assertTrue(names.size() >= 40, names::toString);
    }
}

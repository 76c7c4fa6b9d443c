package org.exsockets.verbs.soft.arena;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EndpointArenasTest {
    private static final String[] ALL = {"a", "b", "c"};

    @Test
    void anArenaWhosePeerChangesItsMindIsEitherKeptOrReleasedOnce() {
        for (String first : ALL) {
            Map<String, Integer> asked = new HashMap<>();
            // What one look finds freed the next one finds live, and the other way round.
            Predicate<String> isFreed = each -> (asked.merge(each, 1, Integer::sum) % 2 == 1) == each.equals(first);
            List<String> freed = new ArrayList<>();
            String[] live = EndpointArenas.withoutFreed(ALL, isFreed, freed);
            assertEquals(List.of(first), freed);
            assertArrayEquals(Stream.of(ALL).filter(each -> !each.equals(first)).toArray(), live);
        }
    }

    @Test
    void whatWaitsForItsWriterStays() {
        List<String> freed = new ArrayList<>(List.of("earlier"));
        assertEquals(0, EndpointArenas.withoutFreed(ALL, each -> true, freed).length);
        assertEquals(List.of("earlier", "a", "b", "c"), freed);
        assertArrayEquals(ALL, EndpointArenas.withoutFreed(ALL, each -> false, freed));
    }
}

package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationTableTest {
    private static final int ADDRESSES = 200;

    /** Against a list that is looked through from end to end; ranges overlap a lot. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsWhatALookAtAllFinds(long seed) {
        Random random = new Random(seed);
        RegistrationTable table = RegistrationTable.EMPTY;
        List<Registration> all = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            if (all.size() < 2 || random.nextInt(20) >= all.size()) {
                long start = random.nextInt(ADDRESSES);
                Registration added = new Registration(start, start + 1 + random.nextInt(50), null, 0);
                all.add(added);
                table = table.with(added);
            } else {
                Registration removed = all.remove(random.nextInt(all.size()));
                table = table.without(removed).without(removed);
            }
            assertEquals(all.size(), table.size());
            long from = random.nextInt(ADDRESSES);
            long to = from + 1 + random.nextInt(30);
            Registration found = table.covering(from, to);
            if (all.stream().anyMatch(each -> each.start <= from && each.end >= to)) {
                assertNotNull(found);
                assertTrue(all.contains(found) && found.start <= from && found.end >= to);
            } else {
                assertNull(found);
            }
            Set<Registration> touching = all.stream()
                    .filter(each -> each.start < to && each.end > from)
                    .collect(Collectors.toSet());
            assertEquals(!touching.isEmpty(), table.touches(from, to));
            Set<Registration> passed = new HashSet<>();
            table.touching(from, to, passed::add);
            assertEquals(touching, passed);
        }
    }
}

package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HotSetTest {
    private final class Polled implements HotSet.Member {
        private int place = NOWHERE;
        private boolean news;

        @Override
        public int place() {
            return place;
        }

        @Override
        public void place(int where) {
            place = where;
        }

        @Override
        public boolean hasNews() {
            return news;
        }
    }

    private final HotSet<Polled> hot = new HotSet<>();

    @Test
    void everyMemberKnowsItsPlaceUnderRandomUse() {
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        List<Polled> pool = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pool.add(new Polled());
        }
        Set<Polled> model = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            Polled member = pool.get(random.nextInt(pool.size()));
            if (random.nextBoolean()) {
                hot.add(member);
                model.add(member);
            } else {
                hot.remove(member);
                model.remove(member);
            }
            assertEquals(model.size(), hot.size(), "seed=" + seed);
        }
        for (int i = 0; i < hot.size(); i++) {
            assertEquals(i, hot.get(i).place);
            assertTrue(model.contains(hot.get(i)));
        }
        pool.stream().filter(each -> !model.contains(each)).forEach(each -> assertEquals(-1, each.place));
    }

    @Test
    void removingMovesOnlyTheLastMember() {
        List<Polled> four = List.of(new Polled(), new Polled(), new Polled(), new Polled());
        four.forEach(hot::add);
        hot.remove(four.get(1));
        assertSame(four.get(0), hot.get(0));
        assertSame(four.get(3), hot.get(1));
        assertSame(four.get(2), hot.get(2));
        assertEquals(3, hot.size());
    }

    @Test
    void anyMemberWithNewsIsNews() {
        assertFalse(hot.anyNews());
        Polled[] members = new Polled[20];
        for (int i = 0; i < members.length; i++) {
            members[i] = new Polled();
            hot.add(members[i]);
        }
        assertFalse(hot.anyNews());
        for (Polled each : members) {
            each.news = true;
            assertTrue(hot.anyNews());
            each.news = false;
        }
        assertFalse(hot.anyNews());
    }
}

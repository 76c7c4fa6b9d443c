package org.exsockets.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HotKeysTest {
    private final HotKeys hot = new HotKeys();
    private Keys keys;

    @BeforeEach
    void open() throws Exception {
        keys = new Keys();
    }

    @AfterEach
    void close() throws Exception {
        keys.close();
    }

    @Test
    void everyKeyKnowsItsPlaceUnderRandomUse() {
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        List<ExsKey> pool = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pool.add(keys.key(0));
        }
        Set<ExsKey> model = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            ExsKey key = pool.get(random.nextInt(pool.size()));
            if (random.nextBoolean()) {
                hot.add(key);
                model.add(key);
            } else {
                hot.remove(key);
                model.remove(key);
            }
            assertEquals(model.size(), hot.size(), "seed=" + seed);
        }
        for (int i = 0; i < hot.size(); i++) {
            assertEquals(i, hot.get(i).hotIndex);
            assertTrue(model.contains(hot.get(i)));
        }
        pool.stream().filter(key -> !model.contains(key)).forEach(key -> assertEquals(-1, key.hotIndex));
    }

    @Test
    void removingMovesOnlyTheLastKey() {
        List<ExsKey> four = List.of(keys.key(0), keys.key(0), keys.key(0), keys.key(0));
        four.forEach(hot::add);
        hot.remove(four.get(1));
        assertSame(four.get(0), hot.get(0));
        assertSame(four.get(3), hot.get(1));
        assertSame(four.get(2), hot.get(2));
        assertEquals(3, hot.size());
    }

    @Test
    void anyKeyWithNewsIsNews() {
        assertFalse(hot.anyNews());
        Source[] sources = new Source[20];
        for (int i = 0; i < sources.length; i++) {
            ExsKey key = keys.key(0);
            sources[i] = new Source();
            key.source = sources[i];
            hot.add(key);
        }
        assertFalse(hot.anyNews());
        for (Source source : sources) {
            source.news = true;
            assertTrue(hot.anyNews());
            source.news = false;
        }
        assertFalse(hot.anyNews());
    }

    private static final class Source implements SourceInMemory {
        private boolean news;

        @Override
        public boolean hasNews() {
            return news;
        }

        @Override
        public int poll(int interest) {
            return 0;
        }
    }
}

package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectedKeysTest {
    private Keys keys;
    private SelectedKeys selected;

    @BeforeEach
    void open() throws Exception {
        keys = new Keys();
        selected = new SelectedKeys(keys.selector());
    }

    @AfterEach
    void close() throws Exception {
        keys.close();
    }

    private List<ExsKey> add(int count) {
        List<ExsKey> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ExsKey key = keys.key(0);
            selected.addSelected(key);
            added.add(key);
        }
        return added;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 64, 65, 1000})
    void everyKeyIsThereOnce(int count) {
        List<ExsKey> added = add(count);
        added.forEach(selected::addSelected);
        assertEquals(count, selected.size());
        assertEquals(new HashSet<>(added), new HashSet<SelectionKey>(List.copyOf(selected)));
        assertEquals(count == 0, selected.isEmpty());
        for (ExsKey key : added) {
            assertTrue(selected.contains(key));
        }
    }

    @Test
    void theProgramCannotAdd() {
        assertThrows(UnsupportedOperationException.class, () -> selected.add(keys.key(0)));
    }

    @Test
    void strangersAreNotThere() throws Exception {
        add(3);
        assertFalse(selected.contains(keys.key(0)));
        assertFalse(selected.contains(null));
        assertFalse(selected.contains("key"));
        assertFalse(selected.remove("key"));
        try (Keys others = new Keys()) {
            ExsKey stranger = others.key(0);
            new SelectedKeys(others.selector()).addSelected(stranger);
            assertFalse(selected.contains(stranger));
            assertFalse(selected.remove(stranger));
        }
        assertEquals(3, selected.size());
    }

    @Test
    void clearForgetsAllAndTheyCanComeAgain() {
        List<ExsKey> added = add(100);
        selected.clear();
        assertTrue(selected.isEmpty());
        assertFalse(selected.iterator().hasNext());
        added.forEach(key -> assertFalse(selected.contains(key)));
        added.forEach(selected::addSelected);
        assertEquals(100, selected.size());
    }

    @Test
    void theIteratorRemovesWhatItHasJustGiven() {
        List<ExsKey> added = add(100);
        Set<SelectionKey> seen = new HashSet<>();
        for (Iterator<SelectionKey> all = selected.iterator(); all.hasNext(); ) {
            SelectionKey key = all.next();
            assertTrue(seen.add(key));
            all.remove();
            assertFalse(selected.contains(key));
            assertThrows(IllegalStateException.class, all::remove);
        }
        assertEquals(new HashSet<>(added), seen);
        assertTrue(selected.isEmpty());
    }

    @Test
    void theIteratorKeepsToItsOrderWithoutNextOrBeyondTheEnd() {
        add(1);
        Iterator<SelectionKey> all = selected.iterator();
        assertThrows(IllegalStateException.class, all::remove);
        all.next();
        assertFalse(all.hasNext());
        assertThrows(NoSuchElementException.class, all::next);
    }

    @Test
    void anIteratorFailsWhenTheSetIsChangedDirectly() {
        List<ExsKey> added = add(3);
        Iterator<SelectionKey> all = selected.iterator();
        selected.remove(all.next());
        assertTrue(all.hasNext());
        assertThrows(ConcurrentModificationException.class, all::next);
        assertThrows(ConcurrentModificationException.class, all::remove);

        Iterator<SelectionKey> rest = selected.iterator();
        rest.next();
        selected.addSelected(added.get(0));
        selected.addSelected(added.get(1));
        selected.addSelected(added.get(2));
        assertThrows(ConcurrentModificationException.class, rest::next);
    }

    @Test
    void removeIfAndRetainAllWork() {
        List<ExsKey> added = add(10);
        Set<ExsKey> kept = new HashSet<>(added.subList(3, 6));
        assertTrue(selected.removeIf(key -> key == added.get(0)));
        assertEquals(9, selected.size());
        selected.retainAll(kept);
        assertEquals(kept, new HashSet<SelectionKey>(List.copyOf(selected)));
    }

    @Test
    void behavesAsASetUnderRandomUse() {
        long seed = Long.getLong("exs.test.seed", 1);
        Random random = new Random(seed);
        List<ExsKey> pool = add(90);
        Set<SelectionKey> model = new HashSet<>(pool);
        for (int i = 0; i < 20_000; i++) {
            ExsKey key = pool.get(random.nextInt(pool.size()));
            switch (random.nextInt(3)) {
                case 0 -> {
                    selected.addSelected(key);
                    model.add(key);
                }
                case 1 -> assertEquals(model.remove(key), selected.remove(key), "seed=" + seed);
                default -> assertEquals(model.contains(key), selected.contains(key), "seed=" + seed);
            }
            assertEquals(model.size(), selected.size(), "seed=" + seed);
        }
        assertEquals(model, new HashSet<>(List.copyOf(selected)), "seed=" + seed);
    }
}

package org.exsockets.nio.select;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A selector's set of selected keys: each key knows its place, so adding, looking up and removing cost a few stores and
 * allocate nothing. As in the JDK the program may remove keys but not add any, and synchronises on the set itself.
 */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private static final int INITIAL = 64;

    private final Selector selector;
    private ExsKey[] keys = new ExsKey[INITIAL];
    private int size;

    /** Additions and removals so far: an iterator fails if there are others than its own, as in the JDK. */
    private int changes;

    SelectedKeys(Selector selector) {
        this.selector = selector;
    }

    void addSelected(ExsKey key) {
        if (key.selectedIndex >= 0) {
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        key.selectedIndex = size;
        keys[size++] = key;
        changes++;
    }

    @Override
    public boolean addAll(Collection<? extends SelectionKey> added) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean contains(Object key) {
        return key instanceof ExsKey ours && ours.selector() == selector && ours.selectedIndex >= 0;
    }

    @Override
    public boolean remove(Object key) {
        if (!contains(key)) {
            return false;
        }
        removeAt(((ExsKey) key).selectedIndex);
        return true;
    }

    private void removeAt(int index) {
        changes++;
        keys[index].selectedIndex = -1;
        ExsKey last = keys[--size];
        keys[size] = null;
        if (index < size) {
            keys[index] = last;
            last.selectedIndex = index;
        }
    }

    @Override
    public void clear() {
        while (size > 0) {
            removeAt(size - 1);
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return new Backwards();
    }

    /** From the last key to the first, so that removing the current one moves none that is still to come. */
    private final class Backwards implements Iterator<SelectionKey> {
        private int next = size - 1;
        private int expectedChanges = changes;
        private @Nullable ExsKey current;

        @Override
        public boolean hasNext() {
            return next >= 0;
        }

        @Override
        public SelectionKey next() {
            ensureUnchanged();
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            current = keys[next--];
            return current;
        }

        @Override
        public void remove() {
            if (current == null) {
                throw new IllegalStateException();
            }
            ensureUnchanged();
            removeAt(current.selectedIndex);
            current = null;
            expectedChanges = changes;
        }

        private void ensureUnchanged() {
            if (changes != expectedChanges) {
                throw new ConcurrentModificationException();
            }
        }
    }
}

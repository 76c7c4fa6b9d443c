package org.exsockets.verbs.disni.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Registrations in the order of their addresses; they may overlap. Immutable, so that it can be read without a lock.
 *
 * <p>{@code maxEnds[i]} is the highest end of the first i + 1 registrations. A search goes down from the last one that
 * begins early enough, and stops where none before it can reach far enough. Without overlaps that is after one step.
 */
final class RegistrationTable {
    static final RegistrationTable EMPTY = new RegistrationTable(new Registration[0]);

    private final Registration[] byStart;
    private final long[] maxEnds;

    private RegistrationTable(Registration[] byStart) {
        this.byStart = byStart;
        this.maxEnds = new long[byStart.length];
        long max = Long.MIN_VALUE;
        for (int i = 0; i < byStart.length; i++) {
            max = Math.max(max, byStart[i].end);
            maxEnds[i] = max;
        }
    }

    int size() {
        return byStart.length;
    }

    Registration get(int index) {
        return byStart[index];
    }

    /** {@return the index of the last one that begins at {@code address} or below; −1 if there is none} */
    private int lastFrom(long address) {
        int low = 0;
        int high = byStart.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (byStart[middle].start <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** {@return one that covers the bytes from {@code from} to below {@code to}; null if there is none} */
    @Nullable
    Registration covering(long from, long to) {
        for (int i = lastFrom(from); i >= 0 && maxEnds[i] >= to; i--) {
            if (byStart[i].end >= to) {
                return byStart[i];
            }
        }
        return null;
    }

    /** {@return whether any has a byte from {@code from} to below {@code to}} */
    boolean touches(long from, long to) {
        return anyReaches(last(to), from);
    }

    /** {@return the index of the last one that may have a byte below {@code to}; −1 if there is none} */
    int last(long to) {
        return lastFrom(to - 1);
    }

    /** {@return whether the one at {@code index}, or one before it, has a byte from {@code from} on; false for −1} */
    boolean anyReaches(int index, long from) {
        return index >= 0 && maxEnds[index] > from;
    }

    /** Passes each that has a byte from {@code from} to below {@code to}. */
    void touching(long from, long to, Consumer<Registration> action) {
        for (int i = last(to); anyReaches(i, from); i--) {
            if (byStart[i].end > from) {
                action.accept(byStart[i]);
            }
        }
    }

    RegistrationTable with(Registration added) {
        List<Registration> more = new ArrayList<>(Arrays.asList(byStart));
        more.add(lastFrom(added.start) + 1, added);
        return new RegistrationTable(more.toArray(new Registration[0]));
    }

    RegistrationTable withoutDropped() {
        return new RegistrationTable(
                Stream.of(byStart).filter(each -> !each.isDropped()).toArray(Registration[]::new));
    }

    RegistrationTable without(Registration removed) {
        return new RegistrationTable(
                Stream.of(byStart).filter(each -> each != removed).toArray(Registration[]::new));
    }
}

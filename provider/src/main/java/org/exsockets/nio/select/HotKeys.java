package org.exsockets.nio.select;

import org.exsockets.waiting.HotSet;

/**
 * Polls the hot keys, and decides which of them stay hot. A key that leaves has its news announced, by its cell or an
 * event, and is polled once more after that: nothing is missed in between. Belongs to the selecting thread.
 */
final class HotKeys {
    /** Polls without news after which a hot connection cools down, so that it no longer slows the others. */
    private static final int MAX_IDLE_LOOKS = 4_000;

    /** The same for all hot connections together: with thousands of them each round of polls is expensive. */
    private static final int IDLE_LOOKS_OF_ALL = 64 * MAX_IDLE_LOOKS;

    private static final int MIN_IDLE_LOOKS = 16;

    /**
     * Sleeps without news after which a connection that shows the sign cools down: so many sleeps, with two or three
     * polls in each, cost about as much as an event.
     */
    private static final int IDLE_SLEEPS = 16;

    private final HotSet<ExsKey> hot;
    private final SignedKeys signs;
    private final Registrations registrations;
    private final ReadyKeys found;

    HotKeys(HotSet<ExsKey> hot, SignedKeys signs, Registrations registrations, ReadyKeys found) {
        this.hot = hot;
        this.signs = signs;
        this.registrations = registrations;
        this.found = found;
    }

    void poll() {
        int maxIdleLooks = maxIdleLooks();
        for (int i = hot.size() - 1; i >= 0; i--) {
            ExsKey key = hot.get(i);
            int wanted = key.selectedFor;
            int ready = wanted == 0 ? 0 : key.attached().poll(wanted);
            if (ready != 0) {
                key.idleLooks = 0;
                found.add(key, ready);
            } else if (wanted == 0) {
                hot.remove(key);
                signs.hide(key);
            } else if (++key.idleLooks > maxIdleLooks) {
                key.idleLooks = 0;
                cool(key, true);
            }
        }
    }

    private int maxIdleLooks() {
        return Math.max(MIN_IDLE_LOOKS, Math.min(MAX_IDLE_LOOKS, IDLE_LOOKS_OF_ALL / (hot.size() + 1)));
    }

    /**
     * Has the peer announce the next completion, by the cell or an event, so that the key need not be polled.
     *
     * @param signed whether the sign says asleep during the next sleep: a peer that sets a cell wakes the selection
     *     only then
     */
    private void cool(ExsKey key, boolean signed) {
        boolean sets = signed && (key.wakesOnWord || key.cell >= 0) && signs.show(key, true);
        if (!sets && !key.attached().signals()) {
            registrations.leaveWord(key);
            signs.hide(key);
            key.attached().arm();
        }
        int ready = key.attached().poll(key.selectedFor);
        if (ready == 0) {
            hot.remove(key);
        } else {
            signs.heat(key);
            found.add(key, ready);
        }
    }

    /** Before a sleep: a hot key shows the sign, which says asleep if {@code signed}, or is armed; each is polled. */
    void arm(boolean signed) {
        int maxIdleLooks = maxIdleLooks();
        for (int i = hot.size() - 1; i >= 0; i--) {
            ExsKey key = hot.get(i);
            if (!signed || !show(key, maxIdleLooks)) {
                cool(key, signed);
            }
        }
    }

    /** {@return whether the sign is shown to the peer: the key stays hot} */
    private boolean show(ExsKey key, int maxIdleLooks) {
        key.idleLooks += maxIdleLooks / IDLE_SLEEPS;
        if (key.idleLooks > maxIdleLooks || !key.channel().isOpen() || !signs.show(key, false)) {
            key.idleLooks = 0;
            return false;
        }
        int ready = key.attached().poll(key.selectedFor);
        if (ready != 0) {
            key.idleLooks = 0;
            found.add(key, ready);
        }
        return true;
    }
}

package org.exsockets.stream;

import java.util.Arrays;

/**
 * Ids of the ADVERTs of one direction, and those of which the peer owes an answer. Where the device has windows, an id
 * stands for the window of its lowest bits. Belongs to the poller.
 */
final class AdvertIds {
    private static final int FIRST_CAPACITY = 4;
    private static final int[] NONE = {};

    private final Rules rules;

    /** Bits that no two ids in use have in common. */
    private final int distinct;

    private int next;

    /** Ids of CANCELs without an answer, the first {@link #unanswered}. */
    private int[] asked = NONE;

    private int unanswered;

    /** @param windows of the device, a power of two; 0: none */
    AdvertIds(Rules rules, int windows) {
        this.rules = rules;
        this.distinct = (windows == 0 ? rules.idLimit() : Math.min(windows, rules.idLimit())) - 1;
    }

    /** {@return an id that may name another ADVERT; there is one while fewer are in use than {@link Rules#advertLimit}} */
    int take(PendingReceives receives) {
        while (true) {
            int id = next++ & rules.idLimit() - 1;
            if (rules.isFree(receives.indexOfLive(id, distinct) >= 0, indexOfAsked(id, distinct) >= 0)) {
                return id;
            }
        }
    }

    int window(int id) {
        return id & distinct;
    }

    private int indexOfAsked(int id, int bits) {
        for (int i = 0; i < unanswered; i++) {
            if (((asked[i] ^ id) & bits) == 0) {
                return i;
            }
        }
        return -1;
    }

    /** A CANCEL of {@code id} is sent. */
    void ask(int id) {
        if (unanswered == asked.length) {
            asked = Arrays.copyOf(asked, Math.max(FIRST_CAPACITY, 2 * unanswered));
        }
        asked[unanswered++] = id;
    }

    /** The peer has answered. {@return false if it was not asked} */
    boolean onAnswer(int id) {
        int index = indexOfAsked(id, -1);
        if (index < 0) {
            return false;
        }
        asked[index] = asked[--unanswered];
        return true;
    }

    /** {@return CANCELs without an answer} */
    int unanswered() {
        return unanswered;
    }
}

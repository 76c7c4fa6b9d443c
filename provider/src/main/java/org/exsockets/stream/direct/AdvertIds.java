package org.exsockets.stream.direct;

import org.exsockets.stream.link.Rules;

/**
 * Ids of the ADVERTs of one direction, and ids of CANCELs that the peer has not answered. If the device has windows,
 * the lowest bits of an id are the number of its window. Belongs to the poller.
 */
final class AdvertIds {
    private final Rules rules;

    /** Mask of bits: no two ids in use have the same value in them. */
    private final int distinct;

    private int next;

    /** Ids of unanswered CANCELs, the first {@link #unanswered}: no more than there may be ADVERTs. */
    private final int[] asked;

    private int unanswered;

    /** @param windows of the device, a power of two; 0: none */
    AdvertIds(Rules rules, int windows) {
        this.rules = rules;
        this.asked = new int[rules.advertLimit()];
        this.distinct = (windows == 0 ? rules.idLimit() : Math.min(windows, rules.idLimit())) - 1;
    }

    /** {@return a free id; there is one while fewer than {@link Rules#advertLimit} are in use} */
    int take(ReceiveList receives) {
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
        asked[unanswered++] = id;
    }

    /** The peer has answered a CANCEL. {@return false if none of {@code id} was sent} */
    boolean onAnswer(int id) {
        int index = indexOfAsked(id, -1);
        if (index < 0) {
            return false;
        }
        asked[index] = asked[--unanswered];
        return true;
    }

    /** {@return the number of unanswered CANCELs} */
    int unanswered() {
        return unanswered;
    }
}

package org.exsockets.verbs.soft;

/**
 * Layout of the file in which a process shows its peers which of its selectors sleep: signs, numbered from 0. Native byte order.
 *
 * <pre>
 *   0         8            128       136           256         32768
 *   +---------+------------+---------+-------------+-- ... ----+
 *   | turns   | reserved   | turns   | reserved    |           |
 *   +---------+------------+---------+-------------+-- ... ----+
 *     sign 0                 sign 1
 * </pre>
 *
 * <p>turns: how often the sign was turned; odd: whoever polls sleeps. It only grows, also from one user of the sign to the next.
 * Written by the owner's polling thread, read by any thread of a peer that has a completion for a queue on which the sign is
 * shown ({@link SegmentDescriptor} "sign"); volatile. Fence between the owner's turn and its look at the slots, and between the
 * peer's publishing of an arrival and its look at the sign (Dekker), at both turns: who goes to sleep must see what was published
 * by those who saw it awake, and who wakes up what was published by those who saw it asleep and relied on somebody else's event.
 *
 * <p>The file is called {@code z PIDNS-PID-START-0}: as the owner's arenas, but for the letter and the number, of which the
 * segment tells ({@link SegmentDescriptor#ARENA_NAMES_OFFSET}).
 */
final class SleepSignDescriptor {
    static final int LENGTH = 32 * 1024;

    /** Signs stand 128 bytes apart: caches fetch lines in adjacent pairs. */
    static final int SIGN_LENGTH = 128;

    static final int SIGNS = LENGTH / SIGN_LENGTH;

    private SleepSignDescriptor() {}

    /** {@return where the turns of a sign are counted} */
    static int turnsOffset(int number) {
        return number * SIGN_LENGTH;
    }

    static boolean isAsleep(long turns) {
        return (turns & 1) != 0;
    }
}

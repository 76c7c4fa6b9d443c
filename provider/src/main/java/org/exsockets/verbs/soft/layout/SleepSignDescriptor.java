package org.exsockets.verbs.soft.layout;

/**
 * Layout of the part of {@link ProcessDescriptor} in which a process shows its peers which of its selectors sleep:
 * signs, numbered from 0, and the cells of all of them. Native byte order.
 *
 * <pre>
 *   0         8            64      68      72           128         256         32768           98304
 *   +---------+------------+-------+-------+------------+-----------+-- ... ----+-- ... ---------+
 *   | changes | reserved   | word  | news  | reserved   |           |           | cells: 64 Ki   |
 *   +---------+------------+-------+-------+------------+-----------+-- ... ----+-- ... ---------+
 *     sign 0                                              sign 1
 * </pre>
 *
 * <table><caption>Writer, reader and ordering of each field. The owner is its polling thread; a peer is any thread of a
 * process that has a completion for a queue on which the sign is shown ({@link SegmentDescriptor} "sign")</caption>
 * <tr><th>field</th><th>writer</th><th>reader</th><th>ordering</th></tr>
 * <tr><td>changes</td><td>owner: the two lowest bits say {@link #AWAKE}, {@link #ON_CHANNELS} or {@link #ON_WORD}, the
 * others count. It only grows, also from one user of the sign to the next</td><td>peers</td><td>release, acquire. Full
 * fence between the owner's change and its look at the slots and at news, and between the peer's publishing of an
 * arrival, or its setting of news, and its look here (Dekker), at both changes: an owner that goes to sleep must see what
 * was published by peers that saw it awake; one that wakes up, what was published by peers that saw it asleep and
 * relied on another peer</td></tr>
 * <tr><td>word</td><td>owner sets {@code SleepWords.ASLEEP} before it changes to {@link #ON_WORD}; peers, and the owner's
 * process, set 0 and then wake the sleeper (futex(2))</td><td>the kernel</td><td>release. A late wake-up ends a later
 * sleep: the owner returns and looks</td></tr>
 * <tr><td>news</td><td>peers set 1 when they have set a cell, owner 0 before it looks at the
 * cells</td><td>owner</td><td>release, acquire. Full fence between the owner's clearing and its look at the
 * cells</td></tr>
 * <tr><td>cells</td><td>peers set {@link #SET}, owner 0, a byte each</td><td>owner</td><td>peer: after an arrival
 * and a fence, before news. Owner: a fence between its wiping and its look at the slots: a peer that found the cell
 * set, or set it, before the wiping has published its arrival before that</td></tr>
 * </table>
 *
 * <p>Cells are given to signs in {@linkplain #CHUNK_CELLS chunks}.
 */
public final class SleepSignDescriptor {
    /** Signs stand 128 bytes apart: caches fetch lines in adjacent pairs. */
    static final int SIGN_LENGTH = 128;

    public static final int SIGNS = 256;

    public static final int CELLS = 64 * 1024;

    /** A line of the cache: peers of different selectors write to different lines. */
    public static final int CHUNK_CELLS = 64;

    private static final int CELLS_OFFSET = SIGNS * SIGN_LENGTH;

    public static final int LENGTH = CELLS_OFFSET + CELLS;

    public static final int AWAKE = 0;
    public static final int ON_CHANNELS = 1;
    public static final int ON_WORD = 2;
    private static final int STATES = 3;
    public static final byte SET = 1;

    private SleepSignDescriptor() {}

    public static int changesOffset(int number) {
        return number * SIGN_LENGTH;
    }

    /** {@return where the word of a sign is: not in the line that peers read for each message} */
    public static int wordOffset(int number) {
        return changesOffset(number) + 64;
    }

    public static int newsOffset(int number) {
        return wordOffset(number) + Integer.BYTES;
    }

    /** @param cell 0 to {@link #CELLS} − 1 */
    public static int cellOffset(int cell) {
        return CELLS_OFFSET + cell;
    }

    /** {@return the state that {@code changes} tell} */
    public static int state(long changes) {
        return (int) changes & STATES;
    }

    /** {@return what follows {@code changes} and tells {@code state}} */
    public static long next(long changes, int state) {
        return (changes | STATES) + 1 + state;
    }
}

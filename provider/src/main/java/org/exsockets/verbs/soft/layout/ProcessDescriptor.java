package org.exsockets.verbs.soft.layout;

import org.exsockets.memory.Words;

/**
 * Layout of the memory in which a process tells its peers of itself: which of its selectors sleep, and the state of its
 * listeners. Fields in native byte order. Peers of the same user are passed it with the first segment that they share;
 * peers of other users are not.
 *
 * <pre>
 *   0        8        12       16       24        4096                        102400               135168
 *   +--------+--------+--------+--------+---------+---------------------------+--------------------+
 *   | magic  | layout | unused | token  | reserved| signs                     | pages of listeners |
 *   +--------+--------+--------+--------+---------+---------------------------+--------------------+
 *                                                   SleepSignDescriptor         256 × 128 bytes
 *
 *   page of a listener:
 *   0        8           16       24                  128
 *   +--------+-----------+--------+-------------------+
 *   | knock  | listening | full   | reserved          |
 *   +--------+-----------+--------+-------------------+
 * </pre>
 *
 * <table><caption>Writer, reader and ordering of each field</caption>
 * <tr><th>field</th><th>writer</th><th>reader</th><th>ordering</th></tr>
 * <tr><td>magic, layout</td><td>owner, once</td><td>peers, when they map it</td><td>the Unix socket</td></tr>
 * <tr><td>token</td><td>owner, once: at random, not 0</td><td>peers, when they map it: one process is mapped
 * once</td><td>the Unix socket</td></tr>
 * <tr><td>knock</td><td>any client stores a number that differs from those before, after its hello: an acceptor that
 * spins sees it without a system call. Clients may overwrite each other's: after a change the acceptor looks for all of
 * them</td><td>owner</td><td>release, acquire. An unseen knock costs only time</td></tr>
 * <tr><td>listening</td><td>owner: 1 while the listener has this page, then 0. A killed process leaves 1 behind; its
 * name then refuses</td><td>clients, before they connect</td><td>release, acquire</td></tr>
 * <tr><td>full</td><td>owner: 1 while the process has no room for another segment</td><td>clients, before they connect:
 * then they use TCP</td><td>release, acquire</td></tr>
 * </table>
 */
public final class ProcessDescriptor {
    /** "EXSPRC01" in native order tells byte order, too. */
    static final long MAGIC = 0x4558535052433031L;

    static final int MAGIC_OFFSET = 0;
    static final int LAYOUT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int TOKEN_OFFSET = LAYOUT_OFFSET + 2 * Integer.BYTES;

    public static final int SIGNS_OFFSET = 4096;

    static final int PAGES_OFFSET = SIGNS_OFFSET + SleepSignDescriptor.LENGTH;

    /** Pages stand 128 bytes apart: caches fetch lines in adjacent pairs. */
    static final int PAGE_LENGTH = 128;

    public static final int PAGES = 256;

    public static final int LENGTH = PAGES_OFFSET + PAGES * PAGE_LENGTH;

    /** Within the page of a listener. */
    public static final int KNOCK_OFFSET = 0;

    public static final int LISTENING_OFFSET = KNOCK_OFFSET + Long.BYTES;
    public static final int FULL_OFFSET = LISTENING_OFFSET + Long.BYTES;

    private ProcessDescriptor() {}

    public static void format(Words words, long token) {
        words.intPlain(LAYOUT_OFFSET, SegmentDescriptor.LAYOUT);
        words.longPlain(TOKEN_OFFSET, token);
        words.longPlain(MAGIC_OFFSET, MAGIC);
    }

    /** {@return whether this is the beginning of such memory} */
    public static boolean isProcess(Words words) {
        return words.longPlain(MAGIC_OFFSET) == MAGIC
                && words.intPlain(LAYOUT_OFFSET) == SegmentDescriptor.LAYOUT
                && token(words) != 0;
    }

    public static long token(Words words) {
        return words.longPlain(TOKEN_OFFSET);
    }

    public static int pageOffset(int number) {
        return PAGES_OFFSET + number * PAGE_LENGTH;
    }
}

package org.exsockets.verbs.soft.layout;

import org.exsockets.memory.Words;

/**
 * Layout of an arena: memory of its owner's program that peers write to. Peers are passed the descriptor before the
 * memory is advertised. Fields in native byte order.
 *
 * <pre>
 *   0        8        12       16                24       28                       page
 *   +--------+--------+--------+-----------------+--------+------------------------+
 *   | magic  | layout | state  | length          | key    |                        |
 *   +--------+--------+--------+-----------------+--------+------------------------+
 *   page … length                allocations, each of whole pages; no pages in between
 * </pre>
 *
 * <table><caption>Writer, reader and ordering of each field</caption>
 * <tr><th>field</th><th>writer</th><th>reader</th><th>ordering</th></tr>
 * <tr><td>magic, layout, length, key</td><td>owner, once</td><td>peers, when they map it</td><td>the Unix
 * socket</td></tr>
 * <tr><td>state</td><td>owner: 1, then 2 when there is no allocation any more</td><td>peers, to unmap
 * it</td><td>release, acquire; a late read is harmless</td></tr>
 * <tr><td>allocations</td><td>the program; peers where and as long as memory is advertised to them</td><td>the
 * program</td><td>plain; ordered by the message that completes the transfer</td></tr>
 * </table>
 *
 * <p>Peers know an arena by its key, the {@code rkey} of a work request: {@link #KEY_BIT}, which no other region has,
 * and the arena's number, which its process never uses twice. The lower half of {@code remote_addr} is the offset in
 * the arena ({@code Windows}).
 */
public final class ArenaDescriptor {
    /** "EXSARE01" in native order tells byte order, too. */
    static final long MAGIC = 0x4558534152453031L;

    static final int LAYOUT = 2;

    static final int MAGIC_OFFSET = 0;
    static final int LAYOUT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    public static final int STATE_OFFSET = LAYOUT_OFFSET + Integer.BYTES;
    static final int LENGTH_OFFSET = STATE_OFFSET + Integer.BYTES;
    static final int KEY_OFFSET = LENGTH_OFFSET + Long.BYTES;
    public static final int LENGTH = KEY_OFFSET + Integer.BYTES;

    public static final int LIVE = 1;
    public static final int FREED = 2;

    static final int KEY_BIT = 1 << 31;
    public static final int MAX_NUMBER = ~KEY_BIT;

    /** Peers map a whole arena into one buffer. */
    public static final long MAX_LENGTH = Integer.MAX_VALUE;

    private ArenaDescriptor() {}

    public static int key(int number) {
        return KEY_BIT | number;
    }

    public static boolean isKey(int rkey) {
        return (rkey & KEY_BIT) != 0;
    }

    /** {@return the key of an arena, as its header says} */
    public static int keyOf(Words words) {
        return key(words.intPlain(KEY_OFFSET));
    }

    public static void format(Words words, int key, long lengthBytes) {
        words.intPlain(LAYOUT_OFFSET, LAYOUT);
        words.longPlain(LENGTH_OFFSET, lengthBytes);
        words.intPlain(KEY_OFFSET, key);
        words.longPlain(MAGIC_OFFSET, MAGIC);
        words.intRelease(STATE_OFFSET, LIVE);
    }

    /** {@return whether this is the beginning of an arena of {@code lengthBytes} bytes} */
    public static boolean isArena(Words words, long lengthBytes) {
        return words.longPlain(MAGIC_OFFSET) == MAGIC
                && words.intPlain(LAYOUT_OFFSET) == LAYOUT
                && words.longPlain(LENGTH_OFFSET) == lengthBytes;
    }
}

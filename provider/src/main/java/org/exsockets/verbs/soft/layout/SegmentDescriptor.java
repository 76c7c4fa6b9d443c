package org.exsockets.verbs.soft.layout;

/**
 * Layout of the segment that two ends share and A has made. All fields in native byte order. "A" is the connecting end,
 * "B" the accepting one.
 *
 * <pre>
 *   0        8        12       16       20       24       32      36       40        44    128
 *   +--------+--------+--------+--------+--------+--------+-------+--------+---------+-----+
 *   | magic  | layout | length | slots  | region | proof  | use   | port   | reserve |     |
 *   +--------+--------+--------+--------+--------+--------+-------+--------+---------+-----+
 *   128                         control of A (384 bytes)                             512
 *   +--------------------------+--------------------------+----------------------------+
 *   | +0 armed, asleep, sign   | +128 posted   (own line) | +256 reason, acceptor,     |
 *   |               (own line) |                          | word, taken, there, page   |
 *   +--------------------------+--------------------------+----------------------------+
 *   512                         control of B (384 bytes)                             896
 *   896 … 1280 reserved
 *   1280                        windows of A (256 bytes), of B (256 bytes)
 *   +--------------------------+--------------------------+
 *   | +0 within     (own line) | +128 closed, 32 × 4 bytes|
 *   +--------------------------+--------------------------+
 *   1792 … 4096 reserved
 *   4096                        arrival slots of A: slots × 64 bytes (ArrivalDescriptor)
 *                               arrival slots of B: slots × 64 bytes
 *   next multiple of 4096       exposed region of A: region bytes
 *                               exposed region of B: region bytes
 *                               reserves that A writes to: reserve bytes, the second one from half of that on
 *                               reserves that B writes to: reserve bytes
 * </pre>
 *
 * <table><caption>Writer, reader and ordering of each field</caption>
 * <tr><th>field</th><th>writer</th><th>reader</th><th>ordering</th></tr>
 * <tr><td>magic … region, reserve</td><td>A, before the segment is passed to B</td><td>B, once</td><td>the Unix
 * socket</td></tr>
 * <tr><td>proof</td><td>A, anew for each connection, before its hello</td><td>B, once, with the hello</td><td>the Unix
 * socket</td></tr>
 * <tr><td>use</td><td>A, counted up for each connection, 1 to 65535; then from 1 again with empty slots</td><td>B,
 * once, with the hello</td><td>the Unix socket</td></tr>
 * <tr><td>port</td><td>A sets 0 before its hello; then either end, once, by compare-and-set: the TCP port of A
 * ({@code ClientPort}), 1 to 65535. Only where the hello says 0</td><td>both</td><td>acquire</td></tr>
 * <tr><td>armed</td><td>owner sets 1, peer clears to 0</td><td>peer</td><td>release, acquire. Full fence between the
 * peer's publishing of an arrival and its look at the flag, and between the owner's arming and its look at the slots
 * (Dekker)</td></tr>
 * <tr><td>asleep</td><td>owner sets 1, peer clears to 0 and then wakes the sleeper (futex(2)); owner clears it to wake
 * its own thread</td><td>peer</td><td>as armed; read together with it, as one word of 8 bytes</td></tr>
 * <tr><td>sign</td><td>owner, 8 bytes: in the lower half 1 + the number of the sign ({@link SleepSignDescriptor}) that
 * its polling thread shows, 0: none; in the upper half the number of its cell, twice, + 1 if the peer is to set it for
 * each message</td><td>peer</td><td>as armed</td></tr>
 * <tr><td>posted</td><td>owner</td><td>peer</td><td>release after the slot was read, acquire before it is
 * overwritten</td></tr>
 * <tr><td>last word</td><td>owner, before reason</td><td>peer, after reason</td><td>by reason</td></tr>
 * <tr><td>reason</td><td>owner</td><td>peer</td><td>release, acquire. Full fence
 * between the store and the owner's look at the peer's asleep and sign</td></tr>
 * <tr><td>acceptor</td><td>B's only; "from" is by compare-and-set. B: 1 from 0 when it has mapped the segment, 2 after
 * its last access, 3 from 2 before it unmaps it. A: 0 from 2 for another connection: then B keeps it; 2 if there is
 * none after all; 3 from 0 to give up</td><td>both</td><td>release after B's last access, acquire before A's
 * reset</td></tr>
 * <tr><td>page</td><td>B's only, before acceptor: 1 + the number of the listener's page in {@link ProcessDescriptor};
 * 0: none</td><td>A, after acceptor</td><td>by acceptor</td></tr>
 * <tr><td>taken</td><td>owner, before it tells that it writes to a reserve: bytes of the first that it uses, a power of
 * two, plus bytes of the second, a larger one; 0: none yet</td><td>peer, when it is told</td><td>plain; ordered by the slot
 * of the message that tells</td></tr>
 * <tr><td>there</td><td>owner: bytes of its first reserve that any connection has used, and that may have their
 * pages</td><td>owner of a later connection; both, to know what the segment costs</td><td>plain; ordered as the uses of
 * the segment are</td></tr>
 * <tr><td>within</td><td>owner, when it begins to write to memory of the peer's program: the tag of the peer's window
 * ({@code Windows}); 0 when it has told of the bytes</td><td>peer</td><td>release after the message, acquire. Full
 * fence between the owner's store and its look at the peer's closed ones, and between the peer's closing and its look
 * here (Dekker)</td></tr>
 * <tr><td>closed</td><td>owner, by window: its tag when it was closed</td><td>peer</td><td>as within</td></tr>
 * <tr><td>slots of X</td><td>peer of X</td><td>X</td><td>header released last, acquired first</td></tr>
 * <tr><td>region of X</td><td>peer of X</td><td>X</td><td>plain; ordered by the slot that announces the bytes</td></tr>
 * <tr><td>reserve of X</td><td>X</td><td>peer of X</td><td>as region</td></tr>
 * </table>
 */
public final class SegmentDescriptor {
    /** "EXSSEG01" in native order tells byte order, too. */
    public static final long MAGIC = 0x4558535345473031L;

    public static final int LAYOUT = 10;

    public static final int MAGIC_OFFSET = 0;
    public static final int LAYOUT_OFFSET = MAGIC_OFFSET + Long.BYTES;
    public static final int LENGTH_OFFSET = LAYOUT_OFFSET + Integer.BYTES;
    public static final int SLOTS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    public static final int REGION_OFFSET = SLOTS_OFFSET + Integer.BYTES;
    public static final int PROOF_OFFSET = REGION_OFFSET + Integer.BYTES;
    public static final int USE_OFFSET = PROOF_OFFSET + Long.BYTES;
    public static final int PORT_OFFSET = USE_OFFSET + Integer.BYTES;
    public static final int RESERVE_OFFSET = PORT_OFFSET + Integer.BYTES;

    public static final int CONTROL_A_OFFSET = 128;
    static final int CONTROL_LENGTH = 384;
    public static final int CONTROL_B_OFFSET = CONTROL_A_OFFSET + CONTROL_LENGTH;

    /** Within a control block. Fields stand 128 bytes apart: caches fetch lines in adjacent pairs. */
    public static final int ARMED_OFFSET = 0;

    /** Behind armed: both are read as one. */
    public static final int ASLEEP_OFFSET = ARMED_OFFSET + Integer.BYTES;

    public static final int SIGN_OFFSET = ASLEEP_OFFSET + Integer.BYTES;

    public static final int POSTED_OFFSET = 128;
    public static final int REASON_OFFSET = 256;
    public static final int ACCEPTOR_OFFSET = 260;
    public static final int LAST_WORD_OFFSET = 264;
    public static final int TAKEN_OFFSET = 272;
    public static final int THERE_OFFSET = 276;
    public static final int PAGE_OFFSET = 280;

    /** Of A; B's follow. */
    static final int WINDOWS_OFFSET = 1280;

    static final int WINDOWS_LENGTH = 256;

    /** Among the windows of one end. */
    public static final int WITHIN_OFFSET = 0;

    public static final int CLOSED_OFFSET = 128;

    /** Windows of one end. */
    public static final int WINDOWS = 32;

    public static final int ARRIVALS_OFFSET = 4096;
    static final int ALIGNMENT = 4096;

    private SegmentDescriptor() {}

    /** {@return what "sign" holds} */
    public static long sign(int number, int cell, boolean sets) {
        return (long) (2 * cell + (sets ? 1 : 0)) << Integer.SIZE | number + 1;
    }

    /** {@return the number of the sign, not checked; −1: none} */
    public static int signNumber(long sign) {
        return (int) sign - 1;
    }

    /** {@return the cell, not checked} */
    public static int signCell(long sign) {
        return (int) (sign >>> Integer.SIZE + 1);
    }

    public static boolean signSetsCell(long sign) {
        return (sign >>> Integer.SIZE & 1) != 0;
    }

    public static int controlOffset(boolean ofA) {
        return ofA ? CONTROL_A_OFFSET : CONTROL_B_OFFSET;
    }

    public static int windowsOffset(boolean ofA) {
        return ofA ? WINDOWS_OFFSET : WINDOWS_OFFSET + WINDOWS_LENGTH;
    }

    public static int arrivalsOffset(boolean ofA, int slots) {
        return ofA ? ARRIVALS_OFFSET : ARRIVALS_OFFSET + slots * ArrivalDescriptor.LENGTH;
    }

    public static int regionOffset(boolean ofA, int slots, int regionBytes) {
        int end = ARRIVALS_OFFSET + 2 * slots * ArrivalDescriptor.LENGTH;
        int first = (end + ALIGNMENT - 1) & -ALIGNMENT;
        return ofA ? first : first + regionBytes;
    }

    /** {@return the rkey of the region of an end} */
    public static int regionKey(boolean ofA) {
        return ofA ? 1 : 2;
    }

    /** {@return the rkey of a reserve that the peer of an end writes to} */
    public static int reserveKey(boolean ofA, boolean second) {
        return (second ? 5 : 3) + (ofA ? 0 : 1);
    }

    /** {@return bytes of the first reserve, as "taken" says; not checked} */
    public static int firstTaken(int taken) {
        return Integer.lowestOneBit(taken);
    }

    /** {@return bytes of the second reserve, as "taken" says; not checked; 0: it is not taken} */
    public static int secondTaken(int taken) {
        return taken - firstTaken(taken);
    }

    /** {@return bytes of a segment before the reserves} */
    public static int length(int slots, int regionBytes) {
        return Math.addExact(regionOffset(false, slots, regionBytes), regionBytes);
    }

    public static int length(int slots, int regionBytes, int reserveBytes) {
        return Math.addExact(length(slots, regionBytes), Math.multiplyExact(2, reserveBytes));
    }

    /** {@return where the reserve that one end writes to begins} */
    public static int reserveOffset(boolean ofA, int slots, int regionBytes, int reserveBytes) {
        int first = length(slots, regionBytes);
        return ofA ? first : first + reserveBytes;
    }
}

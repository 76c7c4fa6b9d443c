package org.exsockets.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A control message, the payload of a SEND: 40 bytes, big-endian (network order).
 *
 * <pre>
 *   0      1      2             4                           8
 *   +------+------+-------------+---------------------------+
 *   | type | flags| credits     | id / generation           |
 *   +------+------+-------------+---------------------------+
 *   8      position / freed / bytes of a transfer           16
 *   +-------------------------------------------------------+
 *   16     address                                          24
 *   +-------------------------------------------------------+
 *   24            rkey          28     phase                32
 *   +---------------------------+---------------------------+
 *   32     length                                           40
 *   +-------------------------------------------------------+
 * </pre>
 *
 * <table><caption>Fields by type; all others are zero</caption>
 * <tr><th>type</th><th>id</th><th>position</th><th>address, rkey, length</th><th>phase</th></tr>
 * <tr><td>CREDIT</td><td></td><td></td><td></td><td></td></tr>
 * <tr><td>ACK</td><td>generation</td><td>bytes freed</td><td></td><td></td></tr>
 * <tr><td>PLACED</td><td>generation</td><td>bytes written before by plain RDMA_WRITEs</td><td></td><td></td></tr>
 * <tr><td>FIN</td><td></td><td>bytes of the whole stream</td><td></td><td></td></tr>
 * <tr><td>ADVERT</td><td>id</td><td>position</td><td>memory</td><td>phase</td></tr>
 * <tr><td>CANCEL</td><td>id</td><td></td><td></td><td>phase</td></tr>
 * <tr><td>CANCELLED</td><td>id</td><td></td><td></td><td></td></tr>
 * <tr><td>NEWBUF</td><td>generation</td><td></td><td>memory</td><td></td></tr>
 * <tr><td>SWITCHED</td><td>generation</td><td>buffered bytes before it</td><td></td><td></td></tr>
 * <tr><td>URGENT</td><td></td><td>buffered bytes before the urgent one, which arrives later</td><td></td>
 * <td></td></tr>
 * </table>
 *
 * <p>Positions of FIN and ADVERT count the bytes of the stream. Those of SWITCHED and URGENT count only <em>buffered
 * bytes</em>, which go through hidden buffers; so do ACK and PLACED. Other bytes have no place in a buffer.
 *
 * <p>NEWBUF announces the hidden buffer that follows the current one: its generation is one more, its length a power of
 * two beyond the current length. SWITCHED takes it into use: all bytes before the position are in the old buffer and
 * have been announced, all bytes behind it are in the new one, from its first byte on. One exchange at a time.
 *
 * <p>Every message returns credits (0 to 65535). A reset needs no message: it is the disconnect of the queue pair with
 * its reason. Positions and lengths are unsigned 63-bit counts that never wrap in practice and are compared serially.
 */
public final class MessageDescriptor {
    public static final int LENGTH = 40;

    public static final int CREDIT = 1;
    public static final int ACK = 2;
    public static final int PLACED = 3;
    public static final int FIN = 4;
    public static final int ADVERT = 5;
    public static final int CANCEL = 6;
    public static final int CANCELLED = 7;
    public static final int NEWBUF = 8;
    public static final int SWITCHED = 9;
    public static final int URGENT = 12;

    /** Flag of an ADVERT: the receive is complete only when it is full (MSG_WAITALL). */
    public static final int FLAG_WAIT_ALL = 1;

    /** Flag of a PLACED: since the last transfer or PLACED the writer has found the hidden buffer full. */
    public static final int FLAG_WAITED = 1;

    public static final int TYPE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int CREDITS_OFFSET = 2;
    public static final int ID_OFFSET = 4;
    public static final int POSITION_OFFSET = 8;
    public static final int ADDRESS_OFFSET = 16;
    public static final int RKEY_OFFSET = 24;
    public static final int PHASE_OFFSET = 28;
    public static final int LENGTH_OFFSET = 32;

    private MessageDescriptor() {}

    /** {@return a buffer for messages, of {@code count} times {@link #LENGTH} bytes} */
    public static ByteBuffer allocate(int count) {
        return ByteBuffer.allocate(count * LENGTH).order(ByteOrder.BIG_ENDIAN);
    }

    /** Writes a message that has no fields beyond id and position; all others, and its flags, are 0. */
    public static void encode(ByteBuffer out, int offset, int type, int credits, int id, long position) {
        out.putShort(offset + TYPE_OFFSET, (short) (type << Byte.SIZE))
                .putShort(offset + CREDITS_OFFSET, (short) credits)
                .putInt(offset + ID_OFFSET, id)
                .putLong(offset + POSITION_OFFSET, position)
                .putLong(offset + ADDRESS_OFFSET, 0)
                .putInt(offset + RKEY_OFFSET, 0)
                .putInt(offset + PHASE_OFFSET, 0)
                .putLong(offset + LENGTH_OFFSET, 0);
    }

    /** Writes a PLACED as the only message of {@code out}. */
    public static void encodePlaced(ByteBuffer out, int credits, int generation, long bytes, boolean waited) {
        encode(out, 0, PLACED, credits, generation, bytes);
        out.put(FLAGS_OFFSET, (byte) (waited ? FLAG_WAITED : 0));
    }

    /** Writes a message that describes memory. */
    public static void encodeMemory(
            ByteBuffer out, int offset, int type, int credits, int id, long address, int rkey, long length) {
        encode(out, offset, type, credits, id, 0);
        out.putLong(offset + ADDRESS_OFFSET, address)
                .putInt(offset + RKEY_OFFSET, rkey)
                .putLong(offset + LENGTH_OFFSET, length);
    }

    /** Writes an ADVERT as the only message of {@code out}. */
    public static void encodeAdvert(
            ByteBuffer out,
            int credits,
            int id,
            int phase,
            long position,
            long address,
            int rkey,
            long length,
            boolean waitsForAll) {
        encodeMemory(out, 0, ADVERT, credits, id, address, rkey, length);
        out.put(FLAGS_OFFSET, (byte) (waitsForAll ? FLAG_WAIT_ALL : 0))
                .putLong(POSITION_OFFSET, position)
                .putInt(PHASE_OFFSET, phase);
    }

    /** Writes a CANCEL as the only message of {@code out}. */
    public static void encodeCancel(ByteBuffer out, int credits, int id, int phase) {
        encode(out, 0, CANCEL, credits, id, 0);
        out.putInt(PHASE_OFFSET, phase);
    }

    public static int type(ByteBuffer in, int offset) {
        return in.get(offset + TYPE_OFFSET);
    }

    public static int credits(ByteBuffer in, int offset) {
        return Short.toUnsignedInt(in.getShort(offset + CREDITS_OFFSET));
    }

    public static int flags(ByteBuffer in, int offset) {
        return in.get(offset + FLAGS_OFFSET);
    }

    public static int id(ByteBuffer in, int offset) {
        return in.getInt(offset + ID_OFFSET);
    }

    public static long position(ByteBuffer in, int offset) {
        return in.getLong(offset + POSITION_OFFSET);
    }

    public static long address(ByteBuffer in, int offset) {
        return in.getLong(offset + ADDRESS_OFFSET);
    }

    public static int rkey(ByteBuffer in, int offset) {
        return in.getInt(offset + RKEY_OFFSET);
    }

    public static int phase(ByteBuffer in, int offset) {
        return in.getInt(offset + PHASE_OFFSET);
    }

    public static long length(ByteBuffer in, int offset) {
        return in.getLong(offset + LENGTH_OFFSET);
    }
}

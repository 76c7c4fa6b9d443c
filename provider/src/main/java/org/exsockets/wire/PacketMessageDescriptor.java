package org.exsockets.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A control message of a packet connection, the payload of a SEND: 40 bytes, big-endian (network order).
 *
 * <pre>
 *   0      1      2             4                           8
 *   +------+------+-------------+---------------------------+
 *   | type | zero | credits     | id                        |
 *   +------+------+-------------+---------------------------+
 *   8      total                                            16
 *   +-------------------------------------------------------+
 *   16     address                                          24
 *   +-------------------------------------------------------+
 *   24            rkey          28     offset               32
 *   +---------------------------+---------------------------+
 *   32     length                                           40
 *   +-------------------------------------------------------+
 * </pre>
 *
 * <table><caption>Fields by type; all others are zero</caption>
 * <tr><th>type</th><th>id</th><th>total</th><th>address, rkey, length</th><th>offset</th></tr>
 * <tr><td>CREDIT</td><td></td><td></td><td></td><td></td></tr>
 * <tr><td>ADVERT</td><td>of the receive, below {@link ImmediateDescriptor#ID_LIMIT}</td><td>bytes it takes</td>
 * <td>memory for the first of them, length 0 for none</td><td>of the memory for the others, in what is exposed from the
 * start</td></tr>
 * <tr><td>PACKET</td><td>of the receive</td><td>bytes of the packet</td><td>length: bytes of it that have been
 * written</td><td></td></tr>
 * <tr><td>CANCEL</td><td>of the receive</td><td></td><td></td><td></td></tr>
 * <tr><td>CANCELLED</td><td>of the receive</td><td></td><td></td><td></td></tr>
 * <tr><td>FIN</td><td></td><td>packets of this direction</td><td></td><td></td></tr>
 * <tr><td>EXPORT</td><td>number of the export</td><td></td><td>memory</td><td></td></tr>
 * <tr><td>UNEXPORT</td><td>number of the export</td><td></td><td></td><td></td></tr>
 * <tr><td>UNEXPORTED</td><td>number of the export</td><td></td><td></td><td></td></tr>
 * <tr><td>NOTIFY</td><td>of the receive that ends</td><td>offset in the export</td><td>rkey: number of the export;
 * length: bytes written there</td><td></td></tr>
 * </table>
 *
 * <p>Every message returns credits (0 to 65535). A packet that one RDMA_WRITE_WITH_IMM carries whole has no PACKET: its
 * immediate is {@link ImmediateDescriptor#DIRECT} with the id of the receive.
 */
public final class PacketMessageDescriptor {
    public static final int LENGTH = 40;

    public static final int CREDIT = 1;
    public static final int ADVERT = 2;
    public static final int PACKET = 3;
    public static final int CANCEL = 4;
    public static final int CANCELLED = 5;
    public static final int FIN = 6;
    public static final int EXPORT = 7;
    public static final int UNEXPORT = 8;
    public static final int UNEXPORTED = 9;
    public static final int NOTIFY = 10;

    public static final int TYPE_OFFSET = 0;
    public static final int CREDITS_OFFSET = 2;
    public static final int ID_OFFSET = 4;
    public static final int TOTAL_OFFSET = 8;
    public static final int ADDRESS_OFFSET = 16;
    public static final int RKEY_OFFSET = 24;
    public static final int OFFSET_OFFSET = 28;
    public static final int LENGTH_OFFSET = 32;

    private PacketMessageDescriptor() {}

    /** {@return a buffer for messages, of {@code count} times {@link #LENGTH} bytes} */
    public static ByteBuffer allocate(int count) {
        return ByteBuffer.allocate(count * LENGTH).order(ByteOrder.BIG_ENDIAN);
    }

    /** Writes a message without memory. */
    public static void encode(ByteBuffer out, int at, int type, int credits, int id, long total) {
        out.putShort(at + TYPE_OFFSET, (short) (type << Byte.SIZE))
                .putShort(at + CREDITS_OFFSET, (short) credits)
                .putInt(at + ID_OFFSET, id)
                .putLong(at + TOTAL_OFFSET, total)
                .putLong(at + ADDRESS_OFFSET, 0)
                .putInt(at + RKEY_OFFSET, 0)
                .putInt(at + OFFSET_OFFSET, 0)
                .putLong(at + LENGTH_OFFSET, 0);
    }

    /** Adds memory to a message that {@link #encode} has written. */
    public static void memory(ByteBuffer out, int at, long address, int rkey, int offset, long length) {
        out.putLong(at + ADDRESS_OFFSET, address)
                .putInt(at + RKEY_OFFSET, rkey)
                .putInt(at + OFFSET_OFFSET, offset)
                .putLong(at + LENGTH_OFFSET, length);
    }

    public static int type(ByteBuffer in, int at) {
        return in.get(at + TYPE_OFFSET);
    }

    public static int credits(ByteBuffer in, int at) {
        return Short.toUnsignedInt(in.getShort(at + CREDITS_OFFSET));
    }

    public static int id(ByteBuffer in, int at) {
        return in.getInt(at + ID_OFFSET);
    }

    public static long total(ByteBuffer in, int at) {
        return in.getLong(at + TOTAL_OFFSET);
    }

    public static long address(ByteBuffer in, int at) {
        return in.getLong(at + ADDRESS_OFFSET);
    }

    public static int rkey(ByteBuffer in, int at) {
        return in.getInt(at + RKEY_OFFSET);
    }

    public static int offset(ByteBuffer in, int at) {
        return in.getInt(at + OFFSET_OFFSET);
    }

    public static long length(ByteBuffer in, int at) {
        return in.getLong(at + LENGTH_OFFSET);
    }
}

package org.exsockets.wire;

import java.nio.ByteBuffer;

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
 *
 * <p>The fields lie where {@link MessageDescriptor} has them, which writes and reads those of the same names: total at
 * the place of the position, offset at that of the phase.
 */
public final class PacketMessageDescriptor {
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

    private PacketMessageDescriptor() {}

    /** Adds memory to a message that {@link MessageDescriptor#encode} has written. */
    public static void memory(ByteBuffer out, int at, long address, int rkey, int offset, long length) {
        out.putLong(at + MessageDescriptor.ADDRESS_OFFSET, address)
                .putInt(at + MessageDescriptor.RKEY_OFFSET, rkey)
                .putInt(at + MessageDescriptor.PHASE_OFFSET, offset)
                .putLong(at + MessageDescriptor.LENGTH_OFFSET, length);
    }

    public static long total(ByteBuffer in, int at) {
        return in.getLong(at + MessageDescriptor.POSITION_OFFSET);
    }

    public static int offset(ByteBuffer in, int at) {
        return in.getInt(at + MessageDescriptor.PHASE_OFFSET);
    }
}

package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;

/**
 * {@code struct ibv_wc} of verbs.h in place: 48 bytes, native byte order. Filled by {@link Verbs#poll}, which converts
 * the immediate to host order.
 *
 * <pre>
 *   0        8        12       16         20         24    28     32       36     40                48
 *   +--------+--------+--------+----------+----------+-----+------+--------+------+------------------+
 *   | wr_id  | status | opcode | vendor   | byte_len | imm | qp   | src qp | flags| (unused)         |
 *   +--------+--------+--------+----------+----------+-----+------+--------+------+------------------+
 * </pre>
 *
 * <p>When status is not 0 only wr_id, status, vendor error and qp are valid.
 */
public final class WcDescriptor {
    public static final int LENGTH = 48;

    public static final int WR_ID_OFFSET = 0;
    public static final int STATUS_OFFSET = 8;
    public static final int OPCODE_OFFSET = 12;
    private static final int VENDOR_OFFSET = 16;
    public static final int BYTE_LENGTH_OFFSET = 20;
    public static final int IMMEDIATE_OFFSET = 24;
    private static final int QP_OFFSET = 28;

    // ibv_wc_status.
    public static final int SUCCESS = 0;
    public static final int LOC_LEN_ERR = 1;
    public static final int WR_FLUSH_ERR = 5;
    public static final int REM_ACCESS_ERR = 10;
    public static final int RETRY_EXC_ERR = 12;
    public static final int RNR_RETRY_EXC_ERR = 13;

    // ibv_wc_opcode.
    public static final int OPCODE_RECV_RDMA_WITH_IMM = 129;

    private WcDescriptor() {}

    /** {@return what a completion that has failed tells, for those who know the adapter} */
    public static String describe(ByteBuffer memory, int at) {
        return "ibv_wc_status=" + memory.getInt(at + STATUS_OFFSET) + ", vendor_err=0x"
                + Integer.toHexString(memory.getInt(at + VENDOR_OFFSET)) + ", wr_id=0x"
                + Long.toHexString(memory.getLong(at + WR_ID_OFFSET)) + ", qp=" + memory.getInt(at + QP_OFFSET);
    }
}

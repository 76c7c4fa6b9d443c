package org.exsockets.wire;

/**
 * The 32-bit immediate of an RDMA_WRITE_WITH_IMM that moves stream bytes. The number of bytes is the write's length.
 *
 * <pre>
 *   31    28 27              16 15                               0
 *   +-------+------------------+---------------------------------+
 *   | kind  | credits returned | id                              |
 *   +-------+------------------+---------------------------------+
 * </pre>
 *
 * <p>id of DIRECT: the ADVERT's. id of INDIRECT: bit 15 is {@link #WAITED}, the others are the generation of the hidden
 * buffer.
 */
public final class ImmediateDescriptor {
    /** Bytes in the hidden buffer. */
    public static final int INDIRECT = 1;

    /** Bytes in the memory of the ADVERT with the given id. */
    public static final int DIRECT = 2;

    /** Most credits one message can return. */
    public static final int MAX_CREDITS = (1 << 12) - 1;

    /** Ids of ADVERTs are below this. */
    public static final int ID_LIMIT = 1 << 16;

    /** In the id of INDIRECT: since the last such message the writer has found the hidden buffer full. */
    public static final int WAITED = 1 << 15;

    /** In the id of INDIRECT: the generation of the hidden buffer, which never gets near this limit. */
    public static final int GENERATION_MASK = WAITED - 1;

    private static final int KIND_SHIFT = 28;
    private static final int CREDITS_SHIFT = 16;

    private ImmediateDescriptor() {}

    public static int encode(int kind, int credits, int id) {
        return kind << KIND_SHIFT | credits << CREDITS_SHIFT | id;
    }

    public static int kind(int immediate) {
        return immediate >>> KIND_SHIFT;
    }

    public static int credits(int immediate) {
        return immediate >>> CREDITS_SHIFT & MAX_CREDITS;
    }

    public static int id(int immediate) {
        return immediate & (ID_LIMIT - 1);
    }
}

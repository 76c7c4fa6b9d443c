package org.exsockets.verbs.disni;

/**
 * What {@link Verbs#queryDevice} tells of a device and one of its ports: 104 bytes, native byte order.
 *
 * <pre>
 *   0        4        8        12       16       20       24       28       32
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 *   | ports  | max qp | qp wr  | max cq | max cqe| max mr | sge    | trans- |
 *   |        |        |        |        |        |        |        | port   |
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 *   32                40                48       52       56       60       64
 *   +-----------------+-----------------+--------+--------+--------+--------+
 *   | max mr size     | vendor, part    | port   | active | phys   | link   |
 *   |                 |                 | state  | mtu    | state  | layer  |
 *   +-----------------+-----------------+--------+--------+--------+--------+
 *   64       68       72                88                96       100      104
 *   +--------+--------+-----------------+-----------------+--------+--------+
 *   | width  | speed  | gid 0           | page sizes      | system | ack    |
 *   |        |        |                 |                 | page   | delay  |
 *   +--------+--------+-----------------+-----------------+--------+--------+
 * </pre>
 *
 * <p>max mr size is unsigned. transport: {@code ibv_transport_type} (0 InfiniBand or RoCE, 1 iWARP, others have no reliable connections). active mtu in
 * bytes. link layer: 1 InfiniBand, 2 Ethernet. width and speed as in {@code struct ibv_port_attr}. page sizes: the sum of those that memory regions
 * may have, in bytes; system page: that of the kernel, in bytes. ack delay: n of 4.096 µs times 2^n.
 */
public final class DeviceDescriptor {
    public static final int LENGTH = 104;

    static final int MAX_QP_OFFSET = 4;
    static final int MAX_QP_WR_OFFSET = 8;
    static final int MAX_CQE_OFFSET = 16;
    static final int MAX_MR_OFFSET = 20;
    static final int MAX_SGE_OFFSET = 24;
    static final int TRANSPORT_OFFSET = 28;
    static final int VENDOR_OFFSET = 40;
    static final int ACTIVE_MTU_OFFSET = 52;
    static final int PAGE_SIZES_OFFSET = 88;
    static final int SYSTEM_PAGE_OFFSET = 96;
    static final int ACK_DELAY_OFFSET = 100;

    private DeviceDescriptor() {}
}

package org.exsockets.verbs.disni;

/**
 * What {@link Verbs#queryDevice} tells of a device and one of its ports: 96 bytes, native byte order.
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
 *   64       68       72                                                   96
 *   +--------+--------+------------------------------------------------------+
 *   | width  | speed  | gid 0 (16 bytes), then zero                           |
 *   +--------+--------+------------------------------------------------------+
 * </pre>
 *
 * <p>max mr size is unsigned. transport: {@code ibv_transport_type} (0 InfiniBand or RoCE, 1 iWARP). active mtu in
 * bytes. link layer: 1 InfiniBand, 2 Ethernet. width and speed as in {@code struct ibv_port_attr}.
 */
public final class DeviceDescriptor {
    public static final int LENGTH = 96;

    public static final int MAX_QP_OFFSET = 4;
    public static final int MAX_MR_OFFSET = 20;
    public static final int TRANSPORT_OFFSET = 28;
    public static final int ACTIVE_MTU_OFFSET = 52;

    /** Value at {@link #TRANSPORT_OFFSET}. */
    public static final int TRANSPORT_IWARP = 1;

    private DeviceDescriptor() {}
}

package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One event of the connection manager as {@link Verbs#nextCmEvent} hands it over: 288 bytes, native byte order.
 *
 * <pre>
 *   0        4        8            16           24        28              32                   288
 *   +--------+--------+------------+------------+---------+---------------+--------------------+
 *   | type   | status | id         | listen id  | private | (zero)        | private data       |
 *   |        |        |            |            | length  |               | up to 256 bytes    |
 *   +--------+--------+------------+------------+---------+---------------+--------------------+
 * </pre>
 *
 * <p>type: {@code rdma_cm_event_type}. status: 0, a negative errno, or for REJECTED the reason. id: handle of the id
 * that the event concerns; for a CONNECT_REQUEST a new one. listen id: handle of the listener of a CONNECT_REQUEST,
 * else 0. Used by the one thread that takes events.
 */
public final class CmEventDescriptor {
    public static final int LENGTH = 288;

    public static final int TYPE_OFFSET = 0;
    public static final int STATUS_OFFSET = 4;
    public static final int ID_OFFSET = 8;
    public static final int LISTEN_ID_OFFSET = 16;
    public static final int PRIVATE_LENGTH_OFFSET = 24;
    public static final int PRIVATE_DATA_OFFSET = 32;

    // rdma_cm_event_type of rdma_cma.h.
    public static final int ADDR_RESOLVED = 0;
    public static final int ADDR_ERROR = 1;
    public static final int ROUTE_RESOLVED = 2;
    public static final int ROUTE_ERROR = 3;
    public static final int CONNECT_REQUEST = 4;
    public static final int CONNECT_ERROR = 6;
    public static final int UNREACHABLE = 7;
    public static final int REJECTED = 8;
    public static final int ESTABLISHED = 9;
    public static final int DISCONNECTED = 10;
    public static final int DEVICE_REMOVAL = 11;
    public static final int ADDR_CHANGE = 14;
    public static final int TIMEWAIT_EXIT = 15;

    /** Status of {@link #REJECTED}: nobody listens on the port (IB_CM_REJ_INVALID_SERVICE_ID). */
    public static final int REJECT_NO_LISTENER = 8;

    /** Status of {@link #REJECTED}: the listener's own decision, with private data (IB_CM_REJ_CONSUMER_DEFINED). */
    public static final int REJECT_BY_PEER = 28;

    private CmEventDescriptor() {}

    public static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(LENGTH).order(ByteOrder.nativeOrder());
    }
}

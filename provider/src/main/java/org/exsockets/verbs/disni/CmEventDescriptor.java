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
final class CmEventDescriptor {
    static final int LENGTH = 288;

    static final int TYPE_OFFSET = 0;
    static final int STATUS_OFFSET = 4;
    static final int ID_OFFSET = 8;
    static final int LISTEN_ID_OFFSET = 16;
    static final int PRIVATE_LENGTH_OFFSET = 24;
    static final int PRIVATE_DATA_OFFSET = 32;

    // rdma_cm_event_type of rdma_cma.h.
    static final int ADDR_RESOLVED = 0;
    static final int ADDR_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int ADDR_CHANGE = 14;
    static final int TIMEWAIT_EXIT = 15;

    /** Status of {@link #REJECTED}: there is no listener (IB_CM_REJ_INVALID_SERVICE_ID). */
    static final int REJECT_NO_LISTENER = 8;

    /** Status of {@link #REJECTED}: the listener's own decision, with private data (IB_CM_REJ_CONSUMER_DEFINED). */
    static final int REJECT_BY_PEER = 28;

    private CmEventDescriptor() {}

    /** {@return a buffer for one event} */
    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(LENGTH).order(ByteOrder.nativeOrder());
    }
}

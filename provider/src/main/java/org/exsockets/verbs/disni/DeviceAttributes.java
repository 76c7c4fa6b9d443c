package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What an adapter tells of itself, as far as connections depend on it.
 *
 * @param name such as "mlx5_0"
 * @param vendor IEEE number of its maker
 * @param transport {@link #INFINIBAND}, {@link #IWARP}, or another one
 * @param queuePairs at most
 * @param requests of one queue pair under way at most, and receives
 * @param completions that one CQ holds at most
 * @param elements of one request at most
 * @param regions of memory at most
 * @param mtuBytes of port 1
 * @param pageSizes sum of those that memory regions may have, in bytes; 0 if it does not tell
 * @param systemPageBytes size of the kernel's pages
 * @param ackDelay its acknowledgements take 4.096 µs times two to the power of this
 */
public record DeviceAttributes(
        String name,
        int vendor,
        int transport,
        int queuePairs,
        int requests,
        int completions,
        int elements,
        int regions,
        int mtuBytes,
        long pageSizes,
        int systemPageBytes,
        int ackDelay) {
    /** Or RoCE: {@code ibv_transport_type} does not distinguish them. */
    public static final int INFINIBAND = 0;

    public static final int IWARP = 1;

    private static final int SOFT_ROCE = 0xffffff;

    /** {@return what the device of a context tells of itself and of its first port} */
    public static DeviceAttributes of(long context) throws VerbsException {
        ByteBuffer about = ByteBuffer.allocateDirect(DeviceDescriptor.LENGTH).order(ByteOrder.nativeOrder());
        Verbs.queryDevice(context, 1, about);
        return new DeviceAttributes(
                Verbs.deviceName(context),
                about.getInt(DeviceDescriptor.VENDOR_OFFSET),
                about.getInt(DeviceDescriptor.TRANSPORT_OFFSET),
                about.getInt(DeviceDescriptor.MAX_QP_OFFSET),
                about.getInt(DeviceDescriptor.MAX_QP_WR_OFFSET),
                about.getInt(DeviceDescriptor.MAX_CQE_OFFSET),
                about.getInt(DeviceDescriptor.MAX_SGE_OFFSET),
                about.getInt(DeviceDescriptor.MAX_MR_OFFSET),
                about.getInt(DeviceDescriptor.ACTIVE_MTU_OFFSET),
                about.getLong(DeviceDescriptor.PAGE_SIZES_OFFSET),
                about.getInt(DeviceDescriptor.SYSTEM_PAGE_OFFSET),
                about.getInt(DeviceDescriptor.ACK_DELAY_OFFSET));
    }

    /** {@return those of the device called {@code name}, without a connection} */
    public static DeviceAttributes of(String name) throws VerbsException {
        long context = Verbs.openDevice(name);
        try {
            return of(context);
        } finally {
            Verbs.closeDevice(context);
        }
    }

    /** {@return whether this is soft-RoCE, which had no vendor in old kernels} */
    public boolean isSoftRoce() {
        return vendor == SOFT_ROCE || vendor == 0;
    }
}

package org.exsockets.observe;

/** What a connection travels over, as counted by {@link Statistics}. */
public enum DeviceKind {
    /** EXS over the software device: shared memory. */
    SOFT,
    /** EXS over an RDMA adapter. */
    DISNI,
    TCP;

    /** {@return the kind of a connection over the device called {@code name}} */
    public static DeviceKind of(String name) {
        return name.equals("disni") ? DISNI : SOFT;
    }
}

package org.exsockets.observe;

/** What a connection travels over, as counted by {@link Statistics}. */
public enum DeviceKind {
    /** EXS over the software device: shared memory. */
    SOFT,
    /** EXS over an RDMA adapter. */
    DISNI,
    /** Plain TCP. */
    TCP
}

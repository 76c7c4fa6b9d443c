package org.exsockets.config;

/** Which RDMA device connections may use: the values of {@code exs.device}. */
public enum DeviceChoice {
    /** Every device that is present. */
    AUTO,
    /** Only the software device over shared memory. */
    SOFT,
    /** Only an RDMA adapter through DiSNI. */
    DISNI,
    /** No device: everything stays on TCP, but is still counted. */
    NONE;

    public boolean allowsSoft() {
        return this == AUTO || this == SOFT;
    }

    public boolean allowsDisni() {
        return this == AUTO || this == DISNI;
    }
}

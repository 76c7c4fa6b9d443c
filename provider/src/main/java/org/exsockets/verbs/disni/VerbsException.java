package org.exsockets.verbs.disni;

import java.io.IOException;

/** A verb or a call of the connection manager failed. Also made by the native half. */
public final class VerbsException extends IOException {
    private static final long serialVersionUID = 1;

    /** errno(3) numbers that the code distinguishes; the same on all architectures of Linux that are served. */
    static final int EBADF = 9;

    static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;

    private final String call;
    private final int errno;

    /**
     * @param call what failed, such as "rdma_resolve_addr"
     * @param errno why; 0 if there is no number
     * @param explanation of the number, or of what is missing
     */
    public VerbsException(String call, int errno, String explanation) {
        super(call + ": " + explanation + (errno == 0 ? "" : " (errno " + errno + ")"));
        this.call = call;
        this.errno = errno;
    }

    /** {@return why, as errno(3); 0 if there is no number} */
    public int errno() {
        return errno;
    }

    /** {@return whether the limit of locked memory, or of the adapter's memory for regions, has been reached} */
    public static boolean isLockedMemory(IOException failure) {
        return failure instanceof VerbsException e
                && e.call.equals("ibv_reg_mr")
                && (e.errno == ENOMEM || e.errno == EAGAIN);
    }
}

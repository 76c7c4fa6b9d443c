package org.exsockets.verbs.disni;

import java.io.IOException;
import java.util.Set;

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

    /** What they make lies in locked memory of the process. */
    private static final Set<String> QUEUES = Set.of("ibv_create_cq", "rdma_create_qp");

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

    /** {@return whether memory is lacking for what the adapter keeps in it: locked memory, or memory of its own} */
    public static boolean isShortage(IOException failure) {
        return failure instanceof VerbsException e
                && (e.call.equals("ibv_reg_mr") || QUEUES.contains(e.call))
                && (e.errno == ENOMEM || e.errno == EAGAIN);
    }

    /**
     * {@return whether the adapter does not take the size of a queue} Drivers say so with numbers of their own choice, or
     * with none.
     */
    public static boolean isRefusal(IOException failure) {
        return failure instanceof VerbsException e
                && QUEUES.contains(e.call)
                && switch (e.errno) {
                    case EBADF, EAGAIN, ENOMEM, ENODEV, ENFILE, EMFILE -> false;
                    default -> true;
                };
    }
}

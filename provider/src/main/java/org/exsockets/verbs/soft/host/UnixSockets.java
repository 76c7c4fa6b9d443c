package org.exsockets.verbs.soft.host;

/**
 * Stream sockets of the Unix domain with abstract names (unix(7)), which live in the network namespace, as ports of TCP
 * do, and end with their listener. The JDK's own sockets have names in the file system, ask for the names of those they
 * accept, and pass no descriptors. All are non-blocking, and closed when the process executes another program. In the
 * library of {@link org.exsockets.jdk.DescriptorPoll}. Any thread.
 *
 * <p>Methods that can fail return a negative errno.
 */
public final class UnixSockets {
    /** Longest name, in bytes: {@code sun_path} without the leading zero. */
    public static final int MAX_NAME = 107;

    /** How many {@link #closeAll} takes. */
    static final int MOST_CLOSED = 64;

    /** Between the ends of a connection: there is something to look for. */
    static final byte EVENT = 0;

    /** As {@link #EVENT}, but no event: comes with a descriptor, or is an answer. */
    static final byte PASSED = 1;

    private UnixSockets() {}

    /** {@return the effective user of this process, unsigned} */
    public static native int effectiveUser();

    static native int open();

    /** @param name without the leading zero */
    static native int listen(int socket, byte[] name, int backlog);

    /** {@return a descriptor, epoll(7), that is readable while connections wait at a listening socket} */
    static native int openGate(int listening);

    /** Whether the gate of a listening socket shows that connections wait. */
    static native int setGate(int gate, int listening, boolean opens);

    /** Sets how many connections may wait at a listening socket beside one. Those already waiting stay. */
    static native int setBacklog(int socket, int backlog);

    /**
     * Connects. After a refusal the socket is as it was.
     *
     * @param peer as of {@link #accept}: who has begun to listen there
     */
    static native int connect(int socket, byte[] name, long[] peer);

    /**
     * Accepts a connection.
     *
     * @param peer gets the process that has connected (SO_PEERCRED): in the upper half its user id; in the lower its
     *     process id, 0 if this process does not see it
     */
    static native int accept(int socket, long[] peer);

    /** Sends at most 256 bytes, and passes up to two descriptors (−1: none) with them. {@return bytes sent} */
    static native int send(int socket, byte[] bytes, int first, int second);

    /**
     * {@return a pidfd_open(2) descriptor of the process at the other end; −errno also before Linux 6.5}
     */
    static native int peerProcess(int socket);

    /**
     * Reads what is there. If it fails with one of these, all is left unread: −E2BIG: more than two descriptors have
     * come with it; −EMFILE: this process lacks descriptors for them; −EACCES: it lacked them for a moment, or is not
     * allowed to have one of them.
     *
     * @param offset where to put it; 0: from now on an urgent byte is read like others ({@link #readUrgentInLine})
     * @param passed gets the descriptors that have come with it, at most two, from its beginning, also if this fails;
     *     they are the caller's
     * @return bytes read; 0: end of file
     */
    static native int receive(int socket, byte[] into, int offset, int[] passed);

    static native int ring(int socket);

    /**
     * Takes a descriptor that has been passed, and the {@link #PASSED} with it. Bytes stay if an {@link #EVENT} is
     * among them, for the thread that waits for it, or more than one descriptor; the descriptor then comes again with
     * them.
     *
     * @return in the lower half 1 if bytes have been taken, so that there may be more; in the upper half 0, or 1 + the
     *     descriptor
     */
    static native long takePassed(int socket);

    /**
     * Takes up to 256 bytes, and a descriptor if one has come with them.
     *
     * @return in the lower half 1 + the number of events, 0 at end of file, or where more than one has come; in the
     *     upper half 0, or 1 + the descriptor
     */
    static native long drain(int socket);

    /**
     * An urgent byte (MSG_OOB) is read like others from now on. Else the kernel drops it, with its descriptor, when what
     * is behind it is read.
     */
    static native void readUrgentInLine(int socket);

    /** The peer sees end of file, and can send nothing more. A listening socket refuses; those that wait are still there. */
    static native int shutdown(int socket);

    /**
     * Before a close: takes bytes that have come alone, and sees to it that no more come. {@return whether something is
     * left: descriptors, or too many bytes} Then closing it may take long ({@link Closer}).
     */
    static native boolean isLeft(int socket);

    /** Closes a socket unless {@link #isLeft}. {@return whether it is closed} */
    static native boolean close(int socket);

    /**
     * Closes the first {@code count} descriptors, of whatever files, at most {@link #MOST_CLOSED}. What lingers then
     * (SO_LINGER), there or in messages that nobody has read, is not waited for.
     */
    static native void closeAll(int[] descriptors, int count);

    /** {@return another descriptor of the socket} */
    static native int keepOpen(int socket);

    /** The socket ends; its number stays, for a selector that knows it, until {@link NativeMemory#close}. */
    static native int retire(int socket);
}

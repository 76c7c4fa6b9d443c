package org.exsockets.verbs.soft;

/**
 * Stream sockets of the Unix domain with abstract names (unix(7)), which live in the network namespace, as ports of TCP do, and end
 * with their listener. The JDK's own have names in the file system, ask for the names of those they accept, and pass no descriptors.
 * All are non-blocking, and closed where the program starts another one. In the library of {@link org.exsockets.jdk.DescriptorPoll}. Any thread.
 *
 * <p>What can fail returns a negative errno.
 */
final class UnixSockets {
    /** Longest name, in bytes: {@code sun_path} without the leading zero. */
    static final int MAX_NAME = 107;

    /** Between the ends of a connection: there is something to look for. */
    static final byte EVENT = 0;

    /** As {@link #EVENT}: comes with a descriptor, and means nothing else. */
    static final byte PASSED = 1;

    private UnixSockets() {}

    /** {@return the effective user of this process, unsigned} */
    static native int effectiveUser();

    /** {@return the descriptor of a new socket} */
    static native int open();

    /** @param name without the leading zero */
    static native int listen(int socket, byte[] name, int backlog);

    /** How many may wait at a listening socket beside one; those that do wait on. */
    static native int setBacklog(int socket, int backlog);

    /** After a refusal the socket is as it was. */
    static native int connect(int socket, byte[] name);

    /** {@return the descriptor of a connection} */
    static native int accept(int socket);

    /** {@return who has connected, or has begun to listen there: the user id in the upper half, the process id, 0 for one that this process does not see, in the lower} */
    static native long peer(int socket);

    /**
     * Sends bytes, at most 256, and passes descriptors with them.
     *
     * @param first −1: none
     * @param second −1: none
     * @return bytes sent
     */
    static native int send(int socket, byte[] bytes, int first, int second);

    /**
     * Reads what is there.
     *
     * @param offset where to put it
     * @param passed gets the first two of the descriptors that have come with it, from its beginning; others are closed
     * @return bytes read; 0: the peer has ended. If there is no descriptor to be had for what is passed, nothing has been read
     */
    static native int receive(int socket, byte[] into, int offset, int[] passed);

    /** Sends {@link #EVENT}. */
    static native int ring(int socket);

    /**
     * Takes a descriptor that has been passed, and the {@link #PASSED} with it, unless an {@link #EVENT} is before it, which stays for who
     * waits for one.
     *
     * @return in the lower half 1 if something has been taken, so that there may be more; in the upper half 0, or 1 + the descriptor
     */
    static native long takePassed(int socket);

    /**
     * Takes up to 256 bytes, and a descriptor if one has come with them.
     *
     * @return in the lower half 1 + the number of events, 0 if the peer has ended; in the upper half 0, or 1 + the descriptor
     */
    static native long drain(int socket);

    static native int shutdownOutput(int socket);

    /** The socket ends; its number stays, for a selector that knows it, until {@link NativeMemory#close}. */
    static native int retire(int socket);
}

package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Natives of ours on libibverbs and librdmacm, for what DiSNI lacks, and for the data path without DiSNI's garbage.
 * They are in the same library as our implementation of DiSNI's {@code NativeDispatcher}.
 *
 * <p>Objects are named by handles: validated entries of one native table, shared with DiSNI's object ids, so that an
 * object made by either side can be used by the other. 0 is no object. Every call with a handle that is 0, of another
 * kind, or closed throws {@link VerbsException} (EBADF); nothing crashes. Destroying an object while another thread
 * uses it in a call is the caller's fault and is not detected. Addresses are native addresses of memory that the caller
 * keeps alive.
 *
 * <p>Any thread, unless a method says otherwise; none blocks but {@link #waitFor}, {@link #destroyId} (until events
 * taken from its channel are acknowledged, which {@link #nextCmEvent} does at once) and the calls to the kernel's
 * connection manager, which are short. Integers are in native byte order; immediates are converted to network order.
 */
public final class Verbs {
    /** Both halves must agree: the version of the methods of this class, of {@link CmEventDescriptor} and {@link DeviceDescriptor}. */
    static final int VERSION = 3;

    /** {@link #postSend}: {@code IBV_WR_RDMA_WRITE} and so on; the numbers are those of {@code ibv_wr_opcode}. */
    public static final int OPCODE_RDMA_WRITE = 0;

    public static final int OPCODE_RDMA_WRITE_WITH_IMM = 1;
    public static final int OPCODE_SEND = 2;

    /** {@link #postSend}: numbers of {@code ibv_send_flags}. */
    public static final int FLAG_SIGNALED = 2;

    public static final int FLAG_SOLICITED = 4;
    public static final int FLAG_INLINE = 8;

    /** {@link #setOption}: the traffic class of what is sent, 0 to 255; before the route is resolved. */
    public static final int OPTION_TOS = 0;

    /** {@link #setOption}: 1 has an IPv6 id serve IPv6 only, 0 both; before {@link #bind}. */
    public static final int OPTION_IPV6_ONLY = 2;

    /**
     * {@link #setOption}: how long this end waits for an acknowledgement, 4.096 µs times 2 to the power of 0 to 31;
     * before {@link #connect} or {@link #accept}.
     */
    public static final int OPTION_ACK_TIMEOUT = 3;

    /** Kinds of {@link #adopt}. */
    static final int KIND_CONTEXT = 1;

    static final int KIND_PD = 2;
    static final int KIND_MR = 3;
    public static final int KIND_COMPLETION_CHANNEL = 4;
    public static final int KIND_CQ = 5;
    public static final int KIND_QP = 6;
    static final int KIND_ID = 7;
    static final int KIND_EVENT_CHANNEL = 8;

    private Verbs() {}

    /** {@return {@link #VERSION} of the native half} */
    static native int version();

    /**
     * Finds libibverbs.so.1 and librdmacm.so.1, once; later calls do nothing.
     *
     * @throws VerbsException if one is missing or too old; the message names it and the package it comes in
     */
    public static native void open() throws VerbsException;

    // Devices, without a connection: for the doctor.

    /** {@return names of the RDMA devices of this machine; empty if there are none} */
    public static native String[] deviceNames() throws VerbsException;

    /** {@return a context of the device called {@code name}; {@link #closeDevice} gives it back} */
    public static native long openDevice(String name) throws VerbsException;

    /** Gives back a context of {@link #openDevice}. */
    public static native void closeDevice(long context) throws VerbsException;

    /** {@return the name of the device of a context, such as "mlx5_0"} */
    public static native String deviceName(long context) throws VerbsException;

    /** Fills {@code into} (direct, ≥ {@link DeviceDescriptor#LENGTH} bytes) with attributes of device and port. */
    public static native void queryDevice(long context, int port, ByteBuffer into) throws VerbsException;

    /** Makes the asynchronous event descriptor non-blocking. {@return it; owned by the context} */
    public static native int asyncDescriptor(long context) throws VerbsException;

    /**
     * Takes and acknowledges one asynchronous event (ibv_get_async_event(3)).
     *
     * @return 0 if there is none; else {@code 1 + event_type} in the low 32 bits and, in the high ones, the QP number,
     *     or the port number, that it concerns, or 0
     */
    public static native long nextAsyncEvent(long context) throws VerbsException;

    // The connection manager.

    /** {@return a channel for events of ids; {@link #destroyEventChannel} gives it back} */
    public static native long createEventChannel() throws VerbsException;

    /** Destroys a channel that has no ids any more. */
    public static native void destroyEventChannel(long channel) throws VerbsException;

    /** Makes the channel's descriptor non-blocking. {@return it; owned by the channel} */
    public static native int eventDescriptor(long channel) throws VerbsException;

    /** {@return an id in the TCP port space} */
    public static native long createId(long channel) throws VerbsException;

    /**
     * Destroys an id, and its queue pair if it still has one. No event of it is taken afterwards. Another thread may be
     * in {@link #nextCmEvent}, not in another call with this id.
     */
    public static native void destroyId(long id) throws VerbsException;

    /** {@return the context the id is bound to, the same handle each time; 0 if none yet (wildcard listeners)} */
    public static native long context(long id) throws VerbsException;

    /**
     * @param address 4 or 16 bytes
     * @param scope IPv6 scope id, or 0
     */
    public static native void bind(long id, byte[] address, int scope, int port) throws VerbsException;

    /**
     * rdma_set_option(3), level RDMA_OPTION_ID.
     *
     * @param option one of {@link #OPTION_TOS} and so on
     */
    public static native void setOption(long id, int option, int value) throws VerbsException;

    /**
     * Has a bound id take requests; each is an event, CONNECT_REQUEST.
     *
     * @param backlog requests that may wait to be taken by {@link #nextCmEvent}: the kernel drops others, and their
     *     clients repeat them some seconds later; 0: as many as the kernel allows (net.rdma_ucm.max_backlog, 1,024)
     */
    public static native void listen(long id, int backlog) throws VerbsException;

    /**
     * @param source address to bind to first (port 0), or null
     * @param timeoutMs of the address resolution; the event comes from {@link #nextCmEvent}
     */
    public static native void resolveAddress(
            long id,
            byte @Nullable [] source,
            int sourceScope,
            byte[] destination,
            int destinationScope,
            int port,
            int timeoutMs)
            throws VerbsException;

    /** Resolves the route to the address that has been resolved; the event comes from {@link #nextCmEvent}. */
    public static native void resolveRoute(long id, int timeoutMs) throws VerbsException;

    /** {@return the id's own address: 4 or 16 bytes, then the port in two bytes, big-endian} */
    public static native byte[] sourceAddress(long id) throws VerbsException;

    /** {@return the peer's address, as {@link #sourceAddress}} */
    public static native byte[] destinationAddress(long id) throws VerbsException;

    /** {@return the port of the device that the id uses, from 1; 0 if none yet} */
    public static native int devicePort(long id) throws VerbsException;

    /** @param privateData at most 56 bytes */
    public static native void connect(long id, byte[] privateData, int retryCount, int rnrRetryCount)
            throws VerbsException;

    /** @param privateData at most 196 bytes */
    public static native void accept(long id, byte[] privateData, int rnrRetryCount) throws VerbsException;

    /** @param privateData at most 148 bytes */
    public static native void reject(long id, byte[] privateData) throws VerbsException;

    /** Asks for the end of the connection, or answers the peer that has asked (rdma_disconnect(3)). */
    public static native void disconnect(long id) throws VerbsException;

    /**
     * Takes one event without blocking and acknowledges it. A CONNECT_REQUEST brings a new id, the caller's to destroy.
     * Before ESTABLISHED is told of, the queue pair's timer for messages without a receive is set to 1.28 ms.
     *
     * @param into direct, ≥ {@link CmEventDescriptor#LENGTH} bytes
     * @return false if there is none
     */
    public static native boolean nextCmEvent(long channel, ByteBuffer into) throws VerbsException;

    // Completions.

    /** Makes the completion channel's descriptor non-blocking. {@return it; owned by the channel} */
    public static native int completionDescriptor(long completionChannel) throws VerbsException;

    /** Takes and acknowledges one completion event. {@return the handle of its CQ; 0 if there is no event} */
    public static native long nextCompletionEvent(long completionChannel) throws VerbsException;

    /** Arms the CQ for the next completion, or the next solicited or failed one only (ibv_req_notify_cq(3)). */
    public static native void requestNotification(long cq, boolean solicitedOnly) throws VerbsException;

    /**
     * Takes completions.
     *
     * @param address of an array of {@code struct ibv_wc} ({@link WcDescriptor}), with immediates in host order
     * @return how many, ≤ {@code max}
     */
    public static native int poll(long cq, long address, int max) throws VerbsException;

    // The data path.

    /**
     * Posts one send work request with at most one element.
     *
     * @return 0, or an errno: ENOMEM if the queue is full, EINVAL for a request the device does not take
     * @throws VerbsException for a bad handle only
     */
    public static native int postSend(
            long qp,
            int opcode,
            int flags,
            long wrId,
            long localAddress,
            int length,
            int lkey,
            long remoteAddress,
            int rkey,
            int immediate)
            throws VerbsException;

    /**
     * Posts {@code count} receives in one call: the i-th has wr_id {@code firstWrId + i} and the {@code length} bytes
     * at {@code address + i * length}.
     *
     * @return how many were posted; fewer than {@code count} if the queue is full
     */
    public static native int postReceives(long qp, long firstWrId, long address, int length, int lkey, int count)
            throws VerbsException;

    /** Moves the queue pair to the error state, so that everything posted is flushed (ibv_modify_qp(3)). */
    public static native void setError(long qp) throws VerbsException;

    /** {@return {@code max_inline_data} that the queue pair really has, in bytes} */
    public static native int inlineLimit(long qp) throws VerbsException;

    // Memory.

    /**
     * {@return zeroed whole pages, resident only when touched, outside the Java heap and its direct-memory limit} At a
     * random address, so that memory of before has hardly ever been there, where the address space has 47 bits or more.
     */
    public static native ByteBuffer allocate(long bytes) throws VerbsException;

    /** Gives back memory of {@link #allocate}; the buffer must not be used any more. */
    public static native void free(ByteBuffer memory) throws VerbsException;

    /** {@return the native address of a direct buffer's first byte (not of its position)} */
    public static native long address(ByteBuffer direct);

    // Waiting.

    /** {@return an eventfd(2), non-blocking; {@link #closeEvent} gives it back} */
    public static native int createEvent() throws VerbsException;

    /** Makes the descriptor readable. */
    public static native void signalEvent(int descriptor) throws VerbsException;

    /** Takes back all signals. */
    public static native void clearEvent(int descriptor) throws VerbsException;

    static native void closeEvent(int descriptor) throws VerbsException;

    /**
     * poll(2) for readability; returns early without error if a signal handler ran.
     *
     * @param descriptors to wait for; a negative one is skipped
     * @param ready gets for each whether it is readable, hung up or in error
     * @param timeoutMs −1 for ever
     * @return how many are ready
     */
    public static native int waitFor(int[] descriptors, boolean[] ready, int timeoutMs) throws VerbsException;

    // An upstream libdisni has handles of its own: raw pointers.

    /** {@return a handle for an object that a foreign libdisni has made; to be forgotten before that destroys it} */
    static native long adopt(int kind, long pointer) throws VerbsException;

    /** Takes back {@link #adopt}; the object itself stays. */
    static native void forget(long handle) throws VerbsException;

    /** {@return the native pointer of a handle, for a foreign libdisni} */
    static native long pointer(long handle) throws VerbsException;
}

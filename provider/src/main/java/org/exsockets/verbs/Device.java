package org.exsockets.verbs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A device and its connection manager. Thread-safe. */
public interface Device {
    /** {@return "soft" or "disni"} */
    String name();

    /** Tells, cheaply, whether {@link #connect} to this address may succeed; must not block or allocate resources. */
    boolean leadsTo(InetSocketAddress remote);

    /** {@return whether a listener there speaks one of these versions, as far as known} Slow: only for messages. */
    default boolean listens(InetSocketAddress remote, EndpointParameters parameters) {
        return leadsTo(remote);
    }

    /**
     * Connects. Bounded in time; never waits for the peer's program.
     *
     * @param local the address of this end that the peer sees. Its port is a bound TCP port, or within this host 0:
     *     found when it is asked for. A wildcard host leaves the host to the device
     * @param limitMs longest time in milliseconds, ≥ 1; ignored if it is more than the device's own bound
     * @param onAnswer run, by a thread of the device, before the program of a peer may know of the connection; not
     *     necessarily if none does before this returns. Must not block. Null: nobody is to be told
     * @throws ConnectFailure if the connect failed; nothing is left behind
     */
    Endpoint connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            int limitMs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure;

    /** As the other one, within the device's own bound. */
    default Endpoint connect(InetSocketAddress local, InetSocketAddress remote, EndpointParameters parameters)
            throws ConnectFailure {
        return connect(local, remote, parameters, Integer.MAX_VALUE, null);
    }

    /**
     * Listens for connections to an address. Owning its TCP port gives this process the right to the name.
     *
     * @param dualStack whether a wildcard {@code local} is reached through IPv6, too
     * @throws IOException if this device cannot serve the address
     */
    DeviceListener listen(InetSocketAddress local, boolean dualStack, int backlog, EndpointParameters parameters)
            throws IOException;

    /** {@return whether its connections may take {@code bytes} more of the memory of this host} */
    default boolean hasRoomFor(long bytes) {
        return true;
    }

    /** {@return what allocates memory that this device's peers can write to; null if any memory will do, or none} */
    default @Nullable ProgramAllocator programAllocator() {
        return null;
    }

    /** When the JVM ends: takes back what would mislead other processes. Connections and listeners keep working. */
    default void close() {}

    /** Ends the device's threads, after {@link #close}: the device is not used any more. */
    default void end() {}
}

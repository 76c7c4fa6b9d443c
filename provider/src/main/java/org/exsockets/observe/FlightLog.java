package org.exsockets.observe;

import java.net.InetSocketAddress;

/**
 * What Java Flight Recorder can be told. An event begins with an object that is passed on to its end; whether it is wanted
 * then, its settings decide. Any thread.
 */
public abstract class FlightLog {
    abstract void onFallback(String what, String address, String reason);

    /** A try to connect over EXS begins. */
    public abstract Object connecting();

    /** @param device that the connection uses; {@code tcp}: none, for {@code reason} */
    public abstract void connected(Object connecting, InetSocketAddress peer, String device, String reason);

    /** @param peer without its port, which may not be chosen yet */
    public abstract void accepted(String peer, String device);

    /** A hidden buffer was followed by a longer one, or, if refused, was not. */
    public abstract void grown(String peer, int lengthBytes, boolean refused);

    /** The bytes of a direction change between direct and indirect. */
    public abstract void phase(String peer, boolean sending);

    /** A thread begins to sleep in a read or a write. */
    public abstract Object sleeping();

    public abstract void slept(Object sleeping, String peer, boolean reading);

    /** @param ends what has ended, by the names of the connection's states */
    public abstract void closed(String peer, String device, String ends, long ageMs, Traffic traffic);

    /** A call begins of which the JDK's own channels tell. */
    public abstract Object transferring(boolean reading);

    /** {@return whether a {@link #transferring} has taken long enough to be told} */
    public abstract boolean isDue(Object transferring);

    /** @param bytes −1: the end of the stream */
    public abstract void transferred(Object transferring, long bytes, InetSocketAddress peer);
}

package org.exsockets.observe;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * What Java Flight Recorder is told. An event begins with an object that is passed on to its end; whether it is wanted
 * then, its commit asks. Any thread.
 *
 * <p>Loaded when a recorder runs: this names classes that a JVM may lack.
 */
public final class FlightLog {
    private static final String EXS = "EXS";

    /** Since then the JDK's events have the address as the host that has no name; before, an empty one. */
    private static final boolean WITH_LITERALS = Runtime.version().feature() >= 22;

    FlightLog() {}

    /** What most of them have. */
    abstract static class OfPeer extends Event {
        @Label("Peer")
        @Nullable
        String peer;
    }

    @Name("exs.Connect")
    @Label("Connect")
    @Category(EXS)
    @Description("A try to connect over EXS; device tcp: TCP was used instead")
    static final class Connect extends OfPeer {
        @Label("Device")
        @Nullable
        String device;

        @Label("Reason for TCP")
        @Nullable
        String reason;
    }

    /** A try to connect over EXS begins. */
    public Object connecting() {
        Connect event = new Connect();
        event.begin();
        return event;
    }

    /** @param device that the connection uses; {@code tcp}: none, for {@code reason} */
    public void connected(Object connecting, InetSocketAddress peer, String device, String reason) {
        Connect event = (Connect) connecting;
        event.end();
        event.peer = org.exsockets.observe.Description.address(peer);
        event.device = device;
        event.reason = reason;
        event.commit();
    }

    @Name("exs.Accept")
    @Label("Accept")
    @Category(EXS)
    @StackTrace(false)
    static final class Accept extends OfPeer {
        @Label("Device")
        @Nullable
        String device;
    }

    /** @param peer without its port, which may not be chosen yet */
    public void accepted(String peer, String device) {
        Accept event = new Accept();
        event.peer = peer;
        event.device = device;
        event.commit();
    }

    @Name("exs.Fallback")
    @Label("Fallback to TCP")
    @Category(EXS)
    static final class Fallback extends Event {
        @Label("What: connect, accept or listen")
        @Nullable
        String what;

        @Label("Address")
        @Nullable
        String address;

        @Label("Reason")
        @Nullable
        String reason;
    }

    void onFallback(String what, String address, String reason) {
        Fallback event = new Fallback();
        event.what = what;
        event.address = address;
        event.reason = reason;
        event.commit();
    }

    @Name("exs.BufferGrowth")
    @Label("Growth of a Hidden Buffer")
    @Category(EXS)
    @StackTrace(false)
    static final class BufferGrowth extends OfPeer {
        @Label("Length")
        @DataAmount
        int length;

        @Label("Refused for Lack of Memory")
        boolean refused;
    }

    /** A hidden buffer was followed by a longer one, or, if refused, was not. */
    public void grown(String peer, int lengthBytes, boolean refused) {
        BufferGrowth event = new BufferGrowth();
        event.peer = peer;
        event.length = lengthBytes;
        event.refused = refused;
        event.commit();
    }

    /** There may be thousands a second. */
    @Name("exs.Phase")
    @Enabled(false)
    @Label("Change between Direct and Indirect")
    @Category(EXS)
    @StackTrace(false)
    static final class PhaseChange extends OfPeer {
        @Label("Sending")
        boolean sending;
    }

    /** The bytes of a direction change between direct and indirect. */
    public void phase(String peer, boolean sending) {
        PhaseChange event = new PhaseChange();
        event.peer = peer;
        event.sending = sending;
        event.commit();
    }

    @Name("exs.Wait")
    @Label("Sleep in a Read or Write")
    @Category(EXS)
    @Threshold("20 ms")
    static final class Waited extends OfPeer {
        @Label("Reading")
        boolean reading;
    }

    /** A thread begins to sleep in a read or a write. */
    public Object sleeping() {
        Waited event = new Waited();
        event.begin();
        return event;
    }

    public void slept(Object sleeping, String peer, boolean reading) {
        Waited event = (Waited) sleeping;
        event.end();
        event.peer = peer;
        event.reading = reading;
        event.commit();
    }

    @Name("exs.Close")
    @Label("End of a Connection")
    @Category(EXS)
    @StackTrace(false)
    static final class Closed extends OfPeer {
        @Label("Device")
        @Nullable
        String device;

        @Label("What Has Ended")
        @Nullable
        String ends;

        @Label("Age")
        @Timespan(Timespan.MILLISECONDS)
        long age;

        @Label("Sent Direct")
        @DataAmount
        long sentDirect;

        @Label("Sent Indirect")
        @DataAmount
        long sentIndirect;

        @Label("Received Direct")
        @DataAmount
        long receivedDirect;

        @Label("Received Indirect")
        @DataAmount
        long receivedIndirect;
    }

    /** @param ends what has ended, by the names of the connection's states */
    public void closed(String peer, String device, String ends, long ageMs, Traffic traffic) {
        Closed event = new Closed();
        event.peer = peer;
        event.device = device;
        event.ends = ends;
        event.age = ageMs;
        event.sentDirect = traffic.bytesSentDirect;
        event.sentIndirect = traffic.bytesSentIndirect;
        event.receivedDirect = traffic.bytesReceivedDirect;
        event.receivedIndirect = traffic.bytesReceivedIndirect;
        event.commit();
    }

    // As the JDK's own, whose settings count for these, too: they are by name. Without any, all of them are off.

    /** What both of them have. */
    abstract static class Transfer extends Event {
        @Label("Remote Host")
        @Nullable
        String host;

        @Label("Remote Address")
        @Nullable
        String address;

        @Label("Remote Port")
        int port;
    }

    @Name("jdk.SocketRead")
    @Enabled(false)
    @Label("Socket Read")
    @Category("Java Application")
    @Threshold("20 ms")
    static final class SocketRead extends Transfer {
        @Label("Timeout Value")
        @Timespan(Timespan.MILLISECONDS)
        long timeout;

        @Label("Bytes Read")
        @DataAmount
        long bytesRead;

        @Label("End of Stream")
        boolean endOfStream;
    }

    @Name("jdk.SocketWrite")
    @Enabled(false)
    @Label("Socket Write")
    @Category("Java Application")
    @Threshold("20 ms")
    static final class SocketWrite extends Transfer {
        @Label("Bytes Written")
        @DataAmount
        long bytesWritten;
    }

    /** A call begins of which the JDK's own channels tell. */
    public Object transferring(boolean reading) {
        Event event = reading ? new SocketRead() : new SocketWrite();
        event.begin();
        return event;
    }

    /** {@return whether a {@link #transferring} has taken long enough to be told} */
    public boolean isDue(Object transferring) {
        Event event = (Event) transferring;
        event.end();
        return event.shouldCommit();
    }

    /** @param bytes −1: the end of the stream */
    public void transferred(Object transferring, long bytes, InetSocketAddress peer) {
        Transfer event = (Transfer) transferring;
        // Never a name that is not known, which would be asked for.
        String both = peer.getAddress().toString();
        event.host = WITH_LITERALS ? peer.getHostString() : both.substring(0, both.lastIndexOf('/'));
        event.address = peer.getAddress().getHostAddress();
        event.port = peer.getPort();
        if (event instanceof SocketRead read) {
            read.bytesRead = Math.max(0, bytes);
            read.endOfStream = bytes < 0;
        } else {
            ((SocketWrite) event).bytesWritten = Math.max(0, bytes);
        }
        event.commit();
    }
}

package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What carries the connections of a run of the suite; the property {@code compat.transport} of its JVM says which. */
public enum Transport {
    /** The JDK's own TCP: the oracle that proves the suite. */
    TCP,
    /** EXS on the software device, brought in by the agent. */
    SOFT,
    /** EXS on RDMA adapters, brought in by the agent. */
    DISNI;

    private static final String PROPERTY = "compat.transport";

    private static final long ADAPTER_ORDER_NS = 250_000_000;
    private static final long TCP_ORDER_NS = 20_000_000;

    private static final Pattern CONNECTIONS =
            Pattern.compile("\"connections\":\\{\"soft\":(\\d+),\"disni\":(\\d+),\"tcp\":(\\d+)\\}");

    /**
     * Returns the transport of this JVM.
     *
     * @throws IllegalStateException if {@code compat.transport} names none
     */
    public static Transport underTest() {
        String name = System.getProperty(PROPERTY, "");
        for (Transport transport : values()) {
            if (transport.counter().equals(name)) {
                return transport;
            }
        }
        throw new IllegalStateException(PROPERTY + " is one of tcp, soft, disni: " + name);
    }

    /** Returns the JVM arguments that give a peer process the same transport as this process. */
    public static List<String> peerArguments() {
        String arguments = System.getProperty("compat.peer.arguments", "").trim();
        return arguments.isEmpty() ? List.of() : List.of(arguments.split("\\|"));
    }

    /**
     * Tells whether a connection ends with the given result when the process at its other end is killed. The
     * kernel closes a killed process's TCP sockets as the process itself would have: the end of the stream, or a
     * reset if it left bytes unread. EXS tells a death from an orderly end and always reports a reset.
     *
     * @param outcome {@code "end of stream"} or the message of the exception
     */
    public boolean abruptDeathIs(String outcome) {
        return outcome.equals("Connection reset") || this == TCP && outcome.equals("end of stream");
    }

    /** Checks that a connection goes over this transport: the kernel knows those that go over TCP, and no others. */
    public void verify(SocketChannel connection) throws IOException {
        assertEquals(this == TCP, KernelTcp.knows(connection), () -> "TCP of the kernel: " + connection);
    }

    /**
     * Checks in the line that a process printed at its exit that connections of it went over this transport.
     *
     * @param printed the process's standard error
     */
    public void verify(String printed) {
        if (this != TCP) {
            assertTrue(connections(printed, counter()) > 0, "no connection went over EXS: " + printed);
        }
    }

    /** Returns the name under which the statistics count the connections over this transport. */
    public String counter() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Waits where connections do not keep an order among each other: on an adapter what is sent on one may arrive before
     * what was sent on another earlier. On this host it has arrived when a call returns, but for TCP where the kernel
     * is short of time.
     */
    public void awaitOthers() {
        if (this != SOFT) {
            LockSupport.parkNanos(this == TCP ? TCP_ORDER_NS : ADAPTER_ORDER_NS);
        }
    }

    /** Returns the reason that a client counts when the program that listens has no EXS. */
    public String nobodyListens() {
        return this == DISNI ? "refused" : "no-listener";
    }

    /**
     * Returns how many connections of a kind a process counted.
     *
     * @param printed what it printed because of {@code exs.stats=stderr}
     * @param kind {@code soft}, {@code disni} or {@code tcp}
     */
    public static int connections(String printed, String kind) {
        Matcher line = CONNECTIONS.matcher(printed);
        assertTrue(line.find(), "the process printed no statistics: " + printed);
        return Integer.parseInt(line.group(List.of("soft", "disni", "tcp").indexOf(kind) + 1));
    }

    /**
     * Returns how often a process counted a reason for a connection to be TCP.
     *
     * @param printed what it printed because of {@code exs.stats=stderr}
     * @param reason the reason's name there, such as {@code "no-listener"}
     */
    public static int fallbacks(String printed, String reason) {
        Matcher count = Pattern.compile("\"fallbacks\":\\{[^}]*\"" + reason + "\":(\\d+)")
                .matcher(printed);
        return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }

    /**
     * Returns how many bytes a process counted in a direction.
     *
     * @param printed what it printed because of {@code exs.stats=stderr}
     * @param direction {@code "sent"} or {@code "received"}
     */
    public static long bytes(String printed, String direction) {
        return directBytes(printed, direction) + indirectBytes(printed, direction);
    }

    /** Returns how many of {@link #bytes} went straight into memory of the program that received them. */
    public static long directBytes(String printed, String direction) {
        return Long.parseLong(countedBytes(printed, direction).group(1));
    }

    private static long indirectBytes(String printed, String direction) {
        return Long.parseLong(countedBytes(printed, direction).group(2));
    }

    private static Matcher countedBytes(String printed, String direction) {
        Matcher count = Pattern.compile("\"" + direction + "\":\\{\"direct\":(\\d+),\"indirect\":(\\d+)\\}")
                .matcher(printed);
        assertTrue(count.find(), "the process printed no statistics: " + printed);
        return count;
    }

    /**
     * Returns how often a process had a longer hidden buffer follow one that proved too short.
     *
     * @param printed what it printed because of {@code exs.stats=stderr}
     */
    public static long buffersGrown(String printed) {
        Matcher count = Pattern.compile("\"buffers\":\\{\"grown\":(\\d+),").matcher(printed);
        assertTrue(count.find(), "the process printed no statistics: " + printed);
        return Long.parseLong(count.group(1));
    }
}

package org.exsockets.compat.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/** What Linux' TCP does with a connection: a row of {@code /proc/net/tcp} or {@code tcp6}. Immutable. */
public final class KernelTcp {
    /** Of the column {@code tr}: the peer's window is closed, and probes ask whether it still is. */
    private static final int PROBES = 4;

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int QUEUES = 4;
    private static final int TIMER = 5;
    private static final int RETRANSMISSION = 12;

    /** TCP_RTO_MIN, as the table has it: a fifth of a second. */
    private static final long LEAST_TICKS = 20;

    private static final long LOOK_NS = 5_000_000;

    private final long unacknowledged;
    private final int timer;
    private final long timerLeft;
    private final long retransmission;

    private KernelTcp(String[] words) {
        unacknowledged = Long.parseLong(words[QUEUES].split(":")[0], 16);
        timer = Integer.parseInt(words[TIMER].split(":")[0], 16);
        timerLeft = Long.parseLong(words[TIMER].split(":")[1], 16);
        retransmission = Long.parseLong(words[RETRANSMISSION]);
    }

    /**
     * Writes to a non-blocking channel until it takes no more, now or later, as long as nobody reads. Room may be made behind a write that found none, and before the
     * kernel is asked: the last word is that of a write.
     *
     * @param next what to write behind so many bytes
     * @return bytes written
     */
    public static long fill(SocketChannel channel, LongFunction<ByteBuffer> next) throws IOException {
        long written = 0;
        for (boolean decided = false; ; ) {
            int n = channel.write(next.apply(written));
            written += n;
            if (n == 0 && decided) {
                return written;
            }
            decided = n == 0 && !makesRoom(channel);
        }
    }

    /**
     * Waits until it is decided whether a connection that has just taken no more takes more, though nobody reads: a part
     * of what is unsent may fit into the rest of the peer's window, and is sent with the first probe, a fifth of a second later.
     *
     * @return whether bytes have gone out since; false if nothing fits into the window
     */
    public static boolean makesRoom(SocketChannel channel) throws IOException {
        return makesRoom(channel.getLocalAddress(), channel.getRemoteAddress());
    }

    /** As {@link #makesRoom(SocketChannel)}, of the connection between these addresses. */
    public static boolean makesRoom(SocketAddress local, SocketAddress remote) throws IOException {
        KernelTcp before = of(local, remote);
        KernelTcp now = before;
        while (now.unacknowledged == before.unacknowledged) {
            if (now.hasProbed()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NS);
            before = now;
            now = of(local, remote);
        }
        return true;
    }

    /** {@return whether a probe has found the window closed: the time to the next one is twice as long as to the first} */
    private boolean hasProbed() {
        return timer == PROBES && timerLeft > Math.max(retransmission, LEAST_TICKS) * 5 / 4;
    }

    /** {@return whether a connected channel is a connection of the kernel's TCP} */
    public static boolean knows(SocketChannel channel) throws IOException {
        return find(channel.getLocalAddress(), channel.getRemoteAddress()) != null;
    }

    private static KernelTcp of(SocketAddress local, SocketAddress remote) throws IOException {
        KernelTcp found = find(local, remote);
        if (found == null) {
            throw new IOException("the kernel has no such connection: " + local + " to " + remote);
        }
        return found;
    }

    /** {@return null if there is none} */
    private static KernelTcp find(SocketAddress localAddress, SocketAddress remoteAddress) throws IOException {
        String local = port(localAddress);
        String remote = port(remoteAddress);
        for (String table : new String[] {"tcp6", "tcp"}) {
            Path file = Path.of("/proc/self/net", table);
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] words = line.trim().split("\\s+");
                if (words.length > RETRANSMISSION && words[LOCAL].endsWith(local) && words[REMOTE].endsWith(remote)) {
                    return new KernelTcp(words);
                }
            }
        }
        return null;
    }

    private static String port(SocketAddress address) {
        return String.format(":%04X", ((InetSocketAddress) address).getPort());
    }
}

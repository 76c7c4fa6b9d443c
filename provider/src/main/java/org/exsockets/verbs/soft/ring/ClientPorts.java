package org.exsockets.verbs.soft.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.StringTokenizer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.host.UnixSockets;

/**
 * Port numbers for clients of this process's listeners that have not bound any. Linux never assigns these by itself, so
 * no client that is bound, or connects over TCP, has the same one. Accepting ends keep even numbers. Odd numbers are
 * for connecting ends that let go before the port was asked for; no end keeps them.
 *
 * <p>A number is used again as late as possible: a server may still hold state of the client that had it before. Each
 * process has its own order, so that servers of a machine seldom report the same number at the same time. They may, as
 * Linux may give one port to connections with different servers. Thread-safe.
 */
public final class ClientPorts {
    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** The usual range of Linux, if {@link #RANGE} cannot be read. */
    private static final int[] DEFAULT_RANGE = {32_768, 60_999};

    /** Below are the ports of most services, which no program expects of a client. */
    private static final int FIRST = 10_000;

    private static final int END = 65_536;

    /** With fewer even numbers, one would be used again too soon. */
    private static final int FEWEST = 2_048;

    /** Few systems let programs have lower ones, and few clients want one. */
    private static final int FIRST_USUALLY = 1_024;

    /** Read when first needed. */
    private static final class Unprivileged {
        private static final Path SYSTEM = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
        private static final int FIRST = first();

        private static int first() {
            try {
                return UnixSockets.effectiveUser() == 0
                        ? 0
                        : Integer.parseInt(SmallFiles.read(SYSTEM).trim());
            } catch (IOException | RuntimeException e) {
                Log.debug("privileged ports: " + e);
                return FIRST_USUALLY;
            }
        }
    }

    static final ClientPorts INSTANCE = new ClientPorts(readRange());

    /**
     * The even numbers outside the range that Linux assigns, as are the odd ones after them. All even ones if these are
     * too few.
     */
    private final BitSet numbers;

    /** Numbers that may be taken; none if they are too few. */
    @GuardedBy("this")
    private final BitSet free;

    /**
     * Step from an even number to the next, modulo {@link #END}: twice an odd number, so that all of them are reached.
     */
    private final int stride;

    /** Any even number. */
    @GuardedBy("this")
    private int next;

    private final AtomicInteger anyNext;

    /** @param ephemeral first and last port that Linux assigns by itself */
    ClientPorts(int[] ephemeral) {
        BitSet others = evenBut(ephemeral[0], ephemeral[1]);
        boolean enough = others.cardinality() >= FEWEST;
        numbers = enough ? others : evenBut(END, END);
        free = enough ? (BitSet) others.clone() : new BitSet();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        stride = 2 * (2 * random.nextInt(END / 4) + 1);
        next = 2 * random.nextInt(END / 2);
        anyNext = new AtomicInteger(2 * random.nextInt(END / 2));
    }

    /** {@return the even numbers outside {@code first} to {@code last}, as are the odd ones after them} */
    private static BitSet evenBut(int first, int last) {
        BitSet found = new BitSet(END);
        for (int port = FIRST + FIRST % 2; port < END; port += 2) {
            if (port + 1 < first || port > last) {
                found.set(port);
            }
        }
        return found;
    }

    private static int[] readRange() {
        try {
            StringTokenizer bounds = new StringTokenizer(SmallFiles.read(RANGE));
            return new int[] {Integer.parseInt(bounds.nextToken()), Integer.parseInt(bounds.nextToken())};
        } catch (IOException | RuntimeException e) {
            Log.debug("ephemeral ports: " + RANGE + " cannot be read: " + e);
            return DEFAULT_RANGE;
        }
    }

    /**
     * {@return whether a client of this user can have this port} Over TCP the kernel lets only root have one of the
     * first 1,024 or so, and servers may rely on that. 0: it has none yet.
     */
    public static boolean mayHave(int port) {
        return port == 0 || port >= FIRST_USUALLY || port >= Unprivileged.FIRST;
    }

    /** {@return an even number other than {@code other}, reserved until it is given back; 0 if there is none} */
    synchronized int take(int other) {
        if (free.isEmpty()) {
            return 0; // Without trying every number.
        }
        for (int tried = 0; tried < END / 2; tried++) {
            int number = next;
            next = after(number);
            if (number != other && free.get(number)) {
                free.clear(number);
                return number;
            }
        }
        return 0;
    }

    private int after(int number) {
        return (number + stride) % END;
    }

    /** @param number of {@link #take}; 0: nothing happens */
    synchronized void giveBack(int number) {
        if (number != 0) {
            free.set(number);
        }
    }

    /** {@return an unreserved number other than {@code other}: odd for a connecting end, even for an accepting end} */
    int any(boolean connecting, int other) {
        int number = connecting ? 0 : take(other);
        if (number != 0) {
            giveBack(number);
            return number;
        }
        int even;
        do {
            do {
                even = anyNext.get();
            } while (!anyNext.compareAndSet(even, after(even)));
            number = connecting ? even + 1 : even;
        } while (!numbers.get(even) || number == other);
        return number;
    }
}

package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.StringTokenizer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;

/**
 * Port numbers for clients of this process' listeners that have not bound any: such as Linux never gives away by itself, so
 * that no client which is bound, or comes over TCP, has the same one. Even numbers are kept by accepting ends; odd ones are those
 * of clients that have gone before anybody asked, and nobody keeps them.
 *
 * <p>A number comes back as late as can be: a server may still be busy forgetting the one who had it before. Each process has an
 * order of its own, so that the servers of a machine seldom tell the same number at the same time; they may, as Linux may give
 * one port to connections with different servers. Thread-safe.
 */
final class ClientPorts {
    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** Those that Linux gives away by itself, where it does not tell. */
    private static final int[] DEFAULT_RANGE = {32_768, 60_999};

    /** Below are the ports of most services, which nobody would take for a client's. */
    private static final int FIRST = 10_000;

    private static final int END = 65_536;

    /** With fewer even ones left a number would come back too soon. */
    private static final int FEWEST = 2_048;

    /** Few systems let programs have others, and fewer clients want one. */
    private static final int FIRST_USUALLY = 1_024;

    /** Looked for when somebody asks. */
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

    private static final ClientPorts INSTANCE = new ClientPorts(readRange());

    /** The even numbers that Linux does not give away, nor the odd one behind each. All there are if these are too few. */
    private final BitSet numbers;

    /** Those that may be taken; none if they are too few. Under the monitor. */
    private final BitSet free;

    /** From an even number to the next, modulo {@link #END}: two times an odd number, and so the way leads past all of them. */
    private final int stride;

    /** Any even number. Under the monitor. */
    private int next;

    private final AtomicInteger anyNext;

    /** @param ephemeral first and last port that Linux gives away by itself */
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

    /** {@return the even numbers that are, as the odd ones behind them, not from {@code first} to {@code last}} */
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
     * {@return whether a program of this user may be told to have this port as a client} Over TCP the kernel lets nobody but root have one
     * of the first 1,024 or so, and servers may rely on that. 0: it has none yet.
     */
    static boolean mayHave(int port) {
        return port == 0 || port >= FIRST_USUALLY || port >= Unprivileged.FIRST;
    }

    /** {@return an even number but {@code other} that is nobody's until it is given back; 0 if there is none} */
    static int take(int other) {
        return INSTANCE.takeOne(other);
    }

    /** @param number of {@link #take}; 0: nothing happens */
    static void giveBack(int number) {
        if (number != 0) {
            INSTANCE.giveOneBack(number);
        }
    }

    /** {@return a number but {@code other} that nobody keeps: an odd one for a connecting end, an even one for an accepting end} */
    static int any(boolean connecting, int other) {
        return INSTANCE.anyOne(connecting, other);
    }

    synchronized int takeOne(int other) {
        if (free.isEmpty()) {
            return 0; // Not after a look at every number.
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

    synchronized void giveOneBack(int number) {
        free.set(number);
    }

    int anyOne(boolean connecting, int other) {
        int number = connecting ? 0 : takeOne(other);
        if (number != 0) {
            giveOneBack(number);
            return number;
        }
        int even;
        do {
            even = anyNext.getAndUpdate(this::after);
            number = connecting ? even + 1 : even;
        } while (!numbers.get(even) || number == other);
        return number;
    }
}

package org.exsockets.compat.soak;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.exsockets.compat.harness.Descriptors;
import org.exsockets.compat.harness.PeerProgram;

/**
 * What is asked of a process of the soak, in that process. The first argument says what:
 *
 * <ul>
 *   <li>{@code listen FILE SEED PROCESS HOST NODE FIRST-PORTS}: listens, as the node of that index, and tries itself
 *   <li>{@code connect CLIENTS}: begins to connect to all
 *   <li>{@code exhaust MILLISECONDS}: opens files until there are no descriptors, and closes them after that time; returns
 *       when it began and when it was over, and how many there were
 *   <li>{@code watch}: how long the one waits that waits longest, how many connections are not over, how many are, how many
 *       things were wrong
 *   <li>{@code idle MILLISECONDS}: which ones wait for so long
 *   <li>{@code drain}: begins no more connections
 *   <li>{@code probe}: makes one of each kind
 *   <li>{@code end}: closes the listeners
 * </ul>
 */
public final class Step implements PeerProgram {
    private static final long TAKE_MS = 10;

    private static Ledger ledger;
    private static Listeners listeners;
    private static Clients clients;

    @Override
    public String run(String[] words) throws Exception {
        switch (words[0]) {
            case "listen" -> listen(Arrays.copyOfRange(words, 1, words.length));
            case "connect" -> clients().begin(Integer.parseInt(words[1]));
            case "exhaust" -> {
                return exhaust(Long.parseLong(words[1]));
            }
            case "watch" -> {
                return Talks.idleMs() + " " + Talks.live() + " " + Talks.count(Ledger.Event.DONE) + " "
                        + Talks.count(Ledger.Event.WRONG);
            }
            case "idle" -> {
                return Talks.idle(Long.parseLong(words[1])).replace('\n', ' ');
            }
            case "drain" -> clients().close();
            case "probe" -> clients().probe();
            case "end" -> end();
            default -> throw new IllegalArgumentException("soak: no such step: " + words[0]);
        }
        return "";
    }

    private static synchronized Clients clients() {
        return clients;
    }

    private static synchronized void listen(String[] words) throws Exception {
        Path file = Path.of(words[0]);
        long seed = Long.parseLong(words[1]);
        int process = Integer.parseInt(words[2]);
        String host = words[3];
        int node = Integer.parseInt(words[4]);
        List<Integer> ports =
                Arrays.stream(words[5].split(",")).map(Integer::valueOf).collect(Collectors.toList());
        ledger = new Ledger(file, seed);
        listeners = new Listeners(ledger, host, ports.get(node), seed + process);
        clients = new Clients(ledger, host, process, ports, listeners.selected());
        // Has all classes loaded, and what the JDK reads for its errors (java.security, at the first connect that
        // fails):
        // without descriptors that cannot be done.
        clients.probe(node);
        Refusals.meet(host);
    }

    private static String exhaust(long milliseconds) throws Exception {
        long beginNs = System.nanoTime();
        int most = 0;
        try (Descriptors descriptors = new Descriptors()) {
            // Again and again: what others close meanwhile is taken, too.
            while (System.nanoTime() - beginNs < milliseconds * 1_000_000) {
                most = descriptors.take();
                Thread.sleep(TAKE_MS);
            }
        }
        return beginNs + " " + System.nanoTime() + " " + most;
    }

    private static synchronized void end() throws Exception {
        listeners.close();
        Buffers.clear();
        ledger.close();
    }
}

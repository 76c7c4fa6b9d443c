package org.exsockets.compat.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Stacks;

/**
 * Some processes that connect to each other in all ways, and what befalls them, for some time; then everything is brought to
 * an end in order, and judged. Used by one thread, which watches; faults have theirs.
 */
final class Soak implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    /** What has not moved for so long never will; nothing of a soak takes longer. */
    static final long HANG_SECONDS = Patience.CALL_SECONDS;

    /** Below the ports that the kernel gives to clients: nobody takes one while its process is being replaced. */
    private static final int LEAST_PORT = 12_000;

    private static final int MOST_PORT = 32_000;
    private static final long WATCH_SECONDS = 1;

    private final long seed;
    private final int clients;
    private final Path directory;
    private final PrintStream out;
    private final Lives lives = new Lives();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Faults faults;

    /**
     * @param directory for what processes note; it is made, and must not exist
     * @param nodes how many processes there are at a time
     * @param clients how many threads of each connect
     */
    Soak(long seed, Set<Fault> kinds, int nodes, int clients, Path directory, PrintStream out) throws IOException {
        this.seed = seed;
        this.clients = clients;
        this.directory = Files.createDirectories(directory.toAbsolutePath());
        this.out = out;
        Random random = new Random(System.nanoTime());
        for (int i = 0; i < nodes; i++) {
            ports.add(freePorts(random));
            this.nodes.add(new Node(this, i, Profile.of(i)));
        }
        this.faults = new Faults(seed, kinds, this.nodes);
    }

    /** Looks for ports, one for each way, that nobody listens at. */
    private int freePorts(Random random) throws IOException {
        while (true) {
            int first = LEAST_PORT + random.nextInt((MOST_PORT - LEAST_PORT) / 16) * 16;
            if (!ports.contains(first) && areFree(first)) {
                return first;
            }
        }
    }

    private static boolean areFree(int first) throws IOException {
        for (Way way : Way.values()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(HOST), first + way.ordinal());
            try (ServerSocket listener = new ServerSocket()) {
                listener.bind(address);
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }

    long seed() {
        return seed;
    }

    int clients() {
        return clients;
    }

    Path directory() {
        return directory;
    }

    Lives lives() {
        return lives;
    }

    /** The first port of each node, separated by commas. */
    String portList() {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Runs for some time; returns what is wrong, told in words. */
    List<String> run(long seconds) throws IOException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        try {
            for (Node node : nodes) {
                node.start();
            }
            for (Node node : nodes) {
                node.connect();
            }
            faults.begin();
            watch(seconds, wrong);
            wrong.addAll(faults.end());
            end(wrong);
        } catch (IOException e) {
            wrong.add(e.getMessage());
            printStacks();
        }
        if (!wrong.isEmpty()) {
            faults.end();
            for (Node node : nodes) {
                node.kill(); // What they note must not change any more.
            }
        }
        judge(wrong);
        return wrong;
    }

    private void printStacks() throws IOException {
        for (Node node : nodes) {
            printStacks(node);
        }
    }

    /** Prints where the threads of a node are, if it has a process. */
    void printStacks(Node node) throws IOException {
        if (node.jvm() != null && node.jvm().isAlive()) {
            out.println("soak: stacks of " + node + ":");
            out.println(Stacks.of(node.jvm().pid()));
        }
    }

    private void watch(long seconds, List<String> wrong) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadlineNs && wrong.isEmpty() && faults.areAll()) {
            TimeUnit.SECONDS.sleep(WATCH_SECONDS);
            look(wrong);
        }
    }

    private void look(List<String> wrong) throws IOException, InterruptedException {
        for (Node node : nodes) {
            String seen = node.watch();
            if (!seen.isEmpty()) {
                wrong.add(seen);
            }
        }
        if (!wrong.isEmpty()) {
            printStacks();
        }
    }

    /** All faults are over: every connection ends, each new one succeeds, and nothing is left. */
    private void end(List<String> wrong) throws IOException, InterruptedException {
        for (Node node : nodes) {
            node.ask("drain");
        }
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        for (Node node : nodes) {
            while (node.live() > 0) {
                if (System.nanoTime() > deadlineNs) {
                    wrong.add(Patience.expired(node + ": connections end", HANG_SECONDS)
                                    .getMessage()
                            + node.ask("idle", 0));
                    printStacks();
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        for (Node node : nodes) {
            node.ask("probe");
        }
        for (Node node : nodes) {
            String left = node.end();
            if (!left.isEmpty()) {
                wrong.add(node + " leaves behind: " + left);
            }
        }
    }

    private void judge(List<String> wrong) throws IOException {
        Verdict verdict = new Verdict(lives);
        for (int process = 1; process <= lives.count(); process++) {
            Path ledger = directory.resolve("ledger-" + process);
            if (Files.exists(ledger)) {
                verdict.read(process, ledger);
            }
        }
        wrong.addAll(verdict.judge());
        out.println("soak: " + verdict.connections() + " connections, " + verdict.bytes() + " bytes compared; "
                + lives.count() + " processes");
        out.println("soak: faults: " + faults.counts() + ", not possible here: " + faults.impossible());
        verdict.counts().forEach((what, count) -> out.println("soak: " + count + " " + what));
        Statistics.judge(nodes, out, wrong);
    }

    @Override
    public void close() throws IOException {
        for (Node node : nodes) {
            node.kill();
        }
    }
}

package org.exsockets.compat.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Has faults happen: one thread for every other node, so that a node has one at a time and two may have one. What happens, in which order and how long, depends on the seed. {@link #begin}, {@link
 * #end} and the others are for one thread.
 */
final class Faults {
    private static final int NODE_THREADS = 2;
    private static final int LEAST_REST_MS = 200;
    private static final int MOST_REST_MS = 2500;
    private static final int LEAST_STOP_MS = 100;
    private static final int MOST_STOP_MS = 3000;
    private static final String[] CLOCKS = {"+0", "-3s", "+7s", "+61s", "-86400s", "+31536000s", "-315360000s"};

    private final long seed;
    private final Set<Fault> wanted;
    private final Set<Fault> kinds;
    private final List<Node> nodes;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final List<String> wrong = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch ending = new CountDownLatch(1);

    /** What happens on a thread of faults. */
    @FunctionalInterface
    private interface Happening {
        void next(Random random) throws IOException, InterruptedException;
    }

    Faults(long seed, Set<Fault> wanted, List<Node> nodes) {
        this.seed = seed;
        this.nodes = nodes;
        this.wanted = wanted;
        this.kinds = EnumSet.noneOf(Fault.class);
        kinds.addAll(wanted);
        if (Stage.falseClock() == null) {
            kinds.remove(Fault.CLOCK);
        }
    }

    /** Those that cannot happen here: changing clocks takes the library of faketime. */
    Set<Fault> impossible() {
        Set<Fault> impossible = EnumSet.noneOf(Fault.class);
        impossible.addAll(wanted);
        impossible.removeAll(kinds);
        return impossible;
    }

    void begin() {
        for (int i = 0; i < NODE_THREADS; i++) {
            List<Node> own = new ArrayList<>();
            for (int node = i; node < nodes.size(); node += NODE_THREADS) {
                own.add(nodes.get(node));
            }
            begin("soak-faults-" + i, new Random(seed * 7 + i), random -> ofNode(own, random));
        }
    }

    private void begin(String name, Random random, Happening happening) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!ending.await(between(random, LEAST_REST_MS, MOST_REST_MS), TimeUnit.MILLISECONDS)) {
                            happening.next(random);
                        }
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        fail(e);
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    private void ofNode(List<Node> own, Random random) throws IOException, InterruptedException {
        Node node = own.get(random.nextInt(own.size()));
        int milliseconds = between(random, LEAST_STOP_MS, MOST_STOP_MS);
        int kind = random.nextInt(100);
        if (kind < 20) {
            if (kinds.contains(Fault.KILL)) {
                node.replace();
                count(Fault.KILL);
            }
        } else if (kind < 55) {
            if (kinds.contains(Fault.STOP)) {
                node.stop();
                TimeUnit.MILLISECONDS.sleep(milliseconds);
                node.resume();
                count(Fault.STOP);
            }
        } else if (kind < 80) {
            if (kinds.contains(Fault.DESCRIPTORS)) {
                node.exhaust(milliseconds);
                count(Fault.DESCRIPTORS);
            }
        } else if (kinds.contains(Fault.CLOCK)) {
            for (Node each : own) {
                if (each.hasFalseClock()) {
                    each.setClock(CLOCKS[random.nextInt(CLOCKS.length)]);
                    count(Fault.CLOCK);
                }
            }
        }
    }

    private static int between(Random random, int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    private synchronized void count(Fault fault) {
        counts.merge(fault, 1, Integer::sum);
    }

    private synchronized void fail(Exception e) {
        wrong.add("faults: " + e);
    }

    /** Tells whether all threads go on. */
    synchronized boolean areAll() {
        return wrong.isEmpty();
    }

    /** Begins no more of them, and waits until all are over; returns what is wrong. */
    List<String> end() throws InterruptedException {
        ending.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        synchronized (this) {
            return List.copyOf(wrong);
        }
    }

    synchronized Map<Fault, Integer> counts() {
        return new EnumMap<>(counts);
    }
}

package org.exsockets.compat.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * When each process of the soak began to listen, when it was killed, and when it was without descriptors, by {@link
 * System#nanoTime}: what the verdict explains failures by. Thread-safe.
 */
final class Lives {
    /** Processes are counted from 1 on. */
    private final List<Life> lives = new ArrayList<>();

    private record Window(long beginNs, long endNs) {
        boolean meets(long fromNs, long toNs) {
            return beginNs <= toNs && fromNs <= endNs;
        }
    }

    private static final class Life {
        final int node;
        long readyNs = Long.MAX_VALUE;
        long killedNs = Long.MAX_VALUE;
        final List<Window> exhausted = new ArrayList<>();

        Life(int node) {
            this.node = node;
        }
    }

    /** A node gets a process; returns its number. */
    synchronized int begin(int node) {
        lives.add(new Life(node));
        return lives.size();
    }

    synchronized void ready(int process) {
        life(process).readyNs = System.nanoTime();
    }

    synchronized void killed(int process) {
        life(process).killedNs = System.nanoTime();
    }

    synchronized void exhausted(int process, long beginNs, long endNs) {
        life(process).exhausted.add(new Window(beginNs, endNs));
    }

    synchronized int count() {
        return lives.size();
    }

    private Life life(int process) {
        return lives.get(process - 1);
    }

    synchronized int node(int process) {
        return life(process).node;
    }

    synchronized boolean wasKilled(int process) {
        return life(process).killedNs != Long.MAX_VALUE;
    }

    /** Tells whether a process died between two times. */
    synchronized boolean diedIn(int process, long fromNs, long toNs) {
        return fromNs <= life(process).killedNs && life(process).killedNs <= toNs;
    }

    /** Tells whether any process died, or was without descriptors, between two times, but for one of them. */
    synchronized boolean anyFaultIn(int exceptProcess, long fromNs, long toNs) {
        for (int process = 1; process <= lives.size(); process++) {
            if (process != exceptProcess && (diedIn(process, fromNs, toNs) || wasExhaustedIn(process, fromNs, toNs))) {
                return true;
            }
        }
        return false;
    }

    synchronized boolean wasExhaustedIn(int process, long fromNs, long toNs) {
        return life(process).exhausted.stream().anyMatch(window -> window.meets(fromNs, toNs));
    }

    /** Tells whether a node had no process that listened, at some moment between two times. */
    synchronized boolean wasDownIn(int node, long fromNs, long toNs) {
        long downNs = Long.MIN_VALUE;
        for (Life life : lives) {
            if (life.node != node) {
                continue;
            }
            if (new Window(downNs, life.readyNs).meets(fromNs, toNs)) {
                return true;
            }
            downNs = life.killedNs;
        }
        return downNs <= toNs;
    }
}

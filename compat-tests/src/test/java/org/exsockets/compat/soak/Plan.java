package org.exsockets.compat.soak;

import java.util.Random;

/**
 * What both ends of a connection send, in which order, and in what pieces: it depends on a seed alone, so both know it.
 * In each round the client sends, and the server answers, or sends at the same time. When the client has ended its half, the
 * server sends a tail, its last acknowledgement. Immutable.
 *
 * @param clientBytes what the client sends in each round
 * @param serverBytes what the server sends in each round
 * @param together whether the server begins its part of a round at once
 * @param early whether the client ends its half before the server has sent its part
 * @param tailBytes length of the tail
 * @param pauseMs how long a client waits between rounds, if it can
 */
record Plan(int[] clientBytes, int[] serverBytes, boolean together, boolean early, int tailBytes, int pauseMs) {
    static final int MAX_BULK_BYTES = 12 << 20;

    private static final int MAX_MESSAGE_BYTES = 1 << 16;
    private static final int MAX_ROUNDS = 60;
    private static final int MAX_PAUSE_MS = 40;

    static Plan of(long seed) {
        Random random = new Random(seed);
        int tail = 1 + random.nextInt(16);
        boolean early = random.nextBoolean();
        int kind = random.nextInt(100);
        if (kind < 50) {
            return new Plan(one(1 + random.nextInt(4096)), one(1 + random.nextInt(4096)), false, early, tail, 0);
        }
        if (kind < 78) {
            int rounds = 2 + random.nextInt(MAX_ROUNDS);
            int pauseMs = random.nextInt(4) == 0 ? 1 + random.nextInt(MAX_PAUSE_MS) : 0;
            return new Plan(messages(random, rounds), messages(random, rounds), kind % 7 == 0, false, tail, pauseMs);
        }
        int bulk = 1 + random.nextInt(MAX_BULK_BYTES);
        int other = 1 + random.nextInt(MAX_BULK_BYTES);
        return switch (kind % 3) {
            case 0 -> new Plan(one(bulk), one(other), true, early, tail, 0);
            case 1 -> new Plan(one(bulk), one(1 + random.nextInt(64)), false, early, tail, 0);
            default -> new Plan(one(1 + random.nextInt(64)), one(bulk), false, early, tail, 0);
        };
    }

    /** A connection that is over soon. */
    static Plan brief(long seed) {
        Random random = new Random(seed);
        return new Plan(one(1 + random.nextInt(4096)), one(1 + random.nextInt(4096)), false, false, 1, 0);
    }

    private static int[] one(int bytes) {
        return new int[] {bytes};
    }

    private static int[] messages(Random random, int rounds) {
        int[] lengths = new int[rounds];
        for (int i = 0; i < rounds; i++) {
            lengths[i] = scaled(random, 1, MAX_MESSAGE_BYTES);
        }
        return lengths;
    }

    /** Returns a number between two others, as probably of each order of magnitude. */
    static int scaled(Random random, int least, int most) {
        double exponent = Math.log(least) + random.nextDouble() * (Math.log(most) - Math.log(least));
        return (int) Math.round(Math.exp(exponent));
    }

    int rounds() {
        return clientBytes.length;
    }

    long clientTotal() {
        return before(clientBytes, rounds());
    }

    /** Without the tail. */
    long serverTotal() {
        return before(serverBytes, rounds());
    }

    /** Returns up to which position the client may send when it has received so much. */
    long clientMaySend(long received) {
        return maySend(clientBytes, serverBytes, received, 0);
    }

    /** Returns up to which position the server may send when it has received so much; without the tail. */
    long serverMaySend(long received) {
        return maySend(serverBytes, clientBytes, received, together ? 0 : 1);
    }

    /** A round is open when the other end's first {@code round + ahead} parts are there. */
    private static long maySend(int[] own, int[] others, long received, int ahead) {
        long allowed = 0;
        long needed = ahead == 0 ? 0 : others[0];
        for (int round = 0; round < own.length && received >= needed; round++) {
            allowed += own[round];
            int next = round + ahead;
            needed += next < others.length ? others[next] : 0;
        }
        return allowed;
    }

    private static long before(int[] parts, int round) {
        long sum = 0;
        for (int i = 0; i < round; i++) {
            sum += parts[i];
        }
        return sum;
    }
}

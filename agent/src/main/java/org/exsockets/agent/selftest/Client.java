package org.exsockets.agent.selftest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a client's JVM runs: does what the lines of standard input say, and answers each with a line, {@code ok} and
 * numbers, or {@code failed} and why.
 *
 * <pre>
 * check FACE BYTES              ok, or failed
 * trips FACE BYTES MS           ok COUNT MEDIAN 99TH_PERCENTILE LONGEST   of round trips for so long, in nanoseconds
 * paced FACE BYTES MS RATE      the same of requests at that pace, a second
 * stream FACE BYTES MS          ok BYTES NANOSECONDS                      of writes of that size, until all is counted
 * connects FACE BYTES MS        ok COUNT NANOSECONDS                      of a connect, one round trip and a close
 * made                          ok CONNECTIONS
 * </pre>
 */
public final class Client {
    /** So many are kept of a slice. */
    private static final int SAMPLES = 1 << 20;

    /** Of a slice: each leaves TCP a port that cannot be used for a minute. */
    private static final int MOST_CONNECTS = 2_000;

    private final InetSocketAddress[] servers = new InetSocketAddress[Face.LISTENERS];
    private final Map<Face, Link> links = new EnumMap<>(Face.class);
    private final long[] samples = new long[SAMPLES];
    private int made;

    private Client(String[] arguments) {
        for (int i = 0; i < servers.length; i++) {
            servers[i] = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1 + i]));
        }
    }

    /** @param arguments the server's host and ports */
    public static void main(String[] arguments) throws IOException {
        Client client = new Client(arguments);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String answer;
            try {
                answer = "ok " + client.answer(line.split(" "));
            } catch (IOException | RuntimeException e) {
                answer = "failed " + e;
            }
            System.out.println(answer);
        }
        for (Link link : client.links.values()) {
            link.close();
        }
    }

    private String answer(String[] words) throws IOException {
        if (words[0].equals("made")) {
            return Integer.toString(made);
        }
        Face face = Face.valueOf(words[1]);
        int bytes = Integer.parseInt(words[2]);
        if (words[0].equals("check")) {
            return check(face, bytes);
        }
        long limitNs = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[3]));
        return switch (words[0]) {
            case "trips" -> summary(trips(face, bytes, limitNs, 0));
            case "paced" -> summary(trips(face, bytes, limitNs, Integer.parseInt(words[4])));
            case "stream" -> stream(face, bytes, limitNs);
            case "connects" -> connects(face, bytes, limitNs);
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private Link connect(Face face, Service service) throws IOException {
        Link link = Link.connect(face, servers[face.listener], service);
        made++;
        return link;
    }

    private String check(Face face, int bytes) throws IOException {
        try (Link link = connect(face, Service.ECHO)) {
            String wrong = Check.run(link, bytes);
            if (!wrong.isEmpty()) {
                throw new IOException(wrong);
            }
            return "";
        }
    }

    /** {@return how many there were; each has left its nanoseconds} {@code rate}: 0 for as many as go */
    private int trips(Face face, int bytes, long limitNs, int rate) throws IOException {
        Link link = links.get(face);
        if (link == null) {
            link = connect(face, Service.ECHO);
            links.put(face, link);
        }
        ByteBuffer buffer = link.buffer(bytes);
        long startNs = System.nanoTime();
        int count = 0;
        do {
            long beginNs = System.nanoTime();
            trip(link, buffer);
            long endNs = System.nanoTime();
            samples[count++] = endNs - beginNs;
            if (rate > 0) {
                awaitTime(startNs + TimeUnit.SECONDS.toNanos(count) / rate);
            }
        } while (System.nanoTime() - startNs < limitNs && count < SAMPLES);
        return count;
    }

    static void trip(Link link, ByteBuffer buffer) throws IOException {
        buffer.clear();
        link.send(buffer);
        buffer.clear();
        link.receiveAll(buffer);
    }

    private static void awaitTime(long timeNs) {
        for (long leftNs = timeNs - System.nanoTime(); leftNs > 0; leftNs = timeNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    private String summary(int count) {
        Arrays.sort(samples, 0, count);
        long last = samples[count - 1];
        return count + " " + samples[count / 2] + " " + samples[(int) (count * 0.99)] + " " + last;
    }

    private String stream(Face face, int bytes, long limitNs) throws IOException {
        try (Link link = connect(face, Service.COUNT)) {
            ByteBuffer buffer = link.buffer(bytes);
            long startNs = System.nanoTime();
            long sent = 0;
            do {
                buffer.clear();
                link.send(buffer);
                sent += bytes;
            } while (System.nanoTime() - startNs < limitNs);
            link.endOutput();
            ByteBuffer counted = link.buffer(Long.BYTES);
            link.receiveAll(counted);
            long tookNs = System.nanoTime() - startNs;
            if (counted.getLong(0) != sent) {
                throw new IOException(counted.getLong(0) + " of " + sent + " bytes came");
            }
            return sent + " " + tookNs;
        }
    }

    private String connects(Face face, int bytes, long limitNs) throws IOException {
        long startNs = System.nanoTime();
        int count = 0;
        do {
            try (Link link = connect(face, Service.ECHO)) {
                trip(link, link.buffer(bytes));
            }
            count++;
        } while (System.nanoTime() - startNs < limitNs && count < MOST_CONNECTS);
        return count + " " + (System.nanoTime() - startNs);
    }
}

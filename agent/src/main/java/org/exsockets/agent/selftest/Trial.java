package org.exsockets.agent.selftest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One test against servers: checks, then measures in slices, TCP's and EXS's in turn. Used by one thread. */
final class Trial {
    private static final int CHECK_BYTES = 8 << 20;

    /** Below that the bytes that are checked are fewer, too. */
    private static final int SHORT_SECONDS = 10;

    private static final int MOST_ROUNDS = 5;
    private static final int ROUND_SECONDS = 12;

    private final Workplace workplace;
    private final Peer peer;
    private final int seconds;
    private final Progress progress;
    private final Result result;
    private final Map<Transport, Child> clients = new EnumMap<>(Transport.class);
    private final List<Child> ended = new ArrayList<>();

    Trial(Workplace workplace, Peer peer, int seconds, Progress progress, Result result) {
        this.workplace = workplace;
        this.peer = peer;
        this.seconds = seconds;
        this.progress = progress;
        this.result = result;
    }

    /** Fills the result; what fails is in it. */
    void run() {
        Adapters adapters = new Adapters();
        try {
            tryAll();
        } catch (IOException e) {
            result.failure = e.getMessage();
        }
        try {
            for (Child client : ended) {
                client.statistics().lines().forEach(result.statistics::add);
                result.said.addAll(client.said());
            }
            Peer.Remains remains = peer.end();
            result.statisticsThere.addAll(remains.statistics());
            result.said.addAll(remains.said());
        } catch (IOException e) {
            result.failure = result.failure.isEmpty() ? e.getMessage() : result.failure;
        }
        result.adapters.addAll(adapters.lines());
    }

    private void tryAll() throws IOException {
        try {
            for (Transport transport : Transport.values()) {
                clients.put(transport, start(transport));
            }
            for (Face face : Face.values()) {
                for (Transport transport : Transport.values()) {
                    check(face, transport);
                }
            }
            measure();
            result.made += Long.parseLong(clients.get(Transport.EXS).ask("made")[0]);
        } finally {
            progress.show("waiting for the JVMs to end");
            for (Child client : clients.values()) {
                end(client);
            }
        }
    }

    private Child start(Transport transport) throws IOException {
        int[] ports = peer.ports(transport);
        String[] arguments = new String[1 + ports.length];
        arguments[0] = peer.address();
        for (int i = 0; i < ports.length; i++) {
            arguments[1 + i] = Integer.toString(ports[i]);
        }
        return new Child(workplace, transport, "client-" + transport.key(), Client.class, arguments);
    }

    private void end(Child client) throws IOException {
        ended.add(client);
        client.close();
    }

    private void check(Face face, Transport transport) {
        progress.show("checking " + face.title + " over " + transport);
        int bytes = seconds < SHORT_SECONDS ? CHECK_BYTES / SHORT_SECONDS : CHECK_BYTES;
        String wrong = "";
        try {
            clients.get(transport).ask("check " + face + " " + bytes);
        } catch (IOException e) {
            wrong = e.getMessage();
        }
        result.checks.add(new Result.Checked(face, transport, bytes, wrong));
    }

    private void measure() throws IOException {
        Measured firstAnswer = new Measured(Row.FIRST_ANSWER);
        Measured firstSecond = new Measured(Row.FIRST_SECOND);
        List<Measured> lasting = Row.lasting().stream().map(Measured::new).toList();
        result.rows.add(firstAnswer);
        result.rows.add(firstSecond);
        result.rows.addAll(lasting);
        int weights = lasting.stream().mapToInt(each -> each.row.weight()).sum();
        int rounds = Math.max(1, Math.min(MOST_ROUNDS, seconds / ROUND_SECONDS));
        double unitMs =
                TimeUnit.SECONDS.toMillis(seconds) / (double) (weights * Transport.values().length * (rounds + 1));
        for (int round = 0; round <= rounds; round++) {
            // The first one, in which code is not compiled yet, is not counted.
            for (Measured each : lasting) {
                long sliceMs = Math.max(1, Math.round(unitMs * each.row.weight()));
                for (Transport transport : Transport.values()) {
                    progress.show("round " + round + " of " + rounds + ": " + each.row.name() + " over " + transport);
                    Slice slice = slice(each.row, transport, sliceMs);
                    if (round > 0) {
                        each.add(transport, slice);
                    }
                }
            }
            if (round > 0) {
                for (Transport transport : Transport.values()) {
                    progress.show("round " + round + " of " + rounds + ": a new JVM's first second over " + transport);
                    measureFresh(transport, round, firstAnswer, firstSecond);
                }
            }
        }
    }

    private Slice slice(Row row, Transport transport, long sliceMs) throws IOException {
        Child client = clients.get(transport);
        long cpuNs = client.cpuNs() + peer.cpuNs(transport);
        long startNs = System.nanoTime();
        String[] answer = client.ask(row.question(sliceMs));
        long wallNs = System.nanoTime() - startNs;
        return row.slice(answer, wallNs, client.cpuNs() + peer.cpuNs(transport) - cpuNs);
    }

    private void measureFresh(Transport transport, int round, Measured firstAnswer, Measured firstSecond)
            throws IOException {
        long serverNs = peer.cpuNs(transport);
        long startNs = System.nanoTime();
        Child fresh = new Child(
                workplace,
                transport,
                "fresh" + round + "-" + transport.key(),
                Fresh.class,
                peer.address(),
                Integer.toString(peer.ports(transport)[Face.SOCKET.listener]),
                Long.toString(System.currentTimeMillis()));
        try {
            String[] answer = fresh.answer("a new JVM");
            long cpuNs = fresh.cpuNs() + peer.cpuNs(transport) - serverNs;
            long wallNs = System.nanoTime() - startNs;
            firstAnswer.add(transport, Row.FIRST_ANSWER.slice(answer, wallNs, cpuNs));
            firstSecond.add(transport, Row.FIRST_SECOND.slice(answer, wallNs, cpuNs));
            if (transport == Transport.EXS) {
                result.made++;
            }
        } finally {
            end(fresh);
        }
    }
}

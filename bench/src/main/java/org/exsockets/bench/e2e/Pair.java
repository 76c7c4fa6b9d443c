package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.bench.e2e.endpoint.Endpoint;
import org.exsockets.bench.e2e.endpoint.Fields;

/**
 * A server and a client JVM of one transport. In rows with {@code held} connections another client holds that many of
 * them. Between commands all are asleep in a read of their standard input. Every wait is bounded. The threads of a pair
 * that hung are printed; a pair that failed is killed and must be replaced.
 */
final class Pair implements Contender {
    private static final long COMMAND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long QUIT_TIMEOUT_SECONDS = 10;
    private static final int CORE_SAMPLES_PER_ROUND = 10;

    private final Transport transport;
    private final Launch launch;
    private final int number;
    private final String label;
    private final List<Path> statsFiles = new ArrayList<>();
    private final Child server;
    private final Child client;

    /** A second client, for connections that are only held; null until a row needs it. */
    private Child holder;

    private boolean holds;

    /** Whether a row was opened: a pair that was only asked for its version has no connections to prove. */
    private boolean opened;

    private String javaVersion;

    private Pair(Transport transport, Launch launch, int number) throws IOException {
        this.transport = transport;
        this.launch = launch;
        this.number = number;
        label = transport.label();
        server = start("server");
        client = start("client");
    }

    static Pair start(Transport transport, Launch launch, int number) throws IOException, EndpointFailure {
        Pair pair = new Pair(transport, launch, number);
        try {
            Fields hello = pair.call(pair.server, new Fields("hello"));
            pair.javaVersion = hello.text("java");
            pair.server.onHello(hello);
            pair.client.onHello(pair.call(pair.client, new Fields("hello")));
            return pair;
        } catch (EndpointFailure failure) {
            pair.kill();
            throw failure;
        }
    }

    private Child start(String role) throws IOException {
        List<String> command = new ArrayList<>(launch.prefix());
        command.addAll(transport.prefix());
        command.add(launch.java());
        command.addAll(List.of("-Xms64m", "-Xmx512m", "-cp", System.getProperty("java.class.path")));
        if (transport.isExs()) {
            Path stats = launch.directory().resolve(label + "-" + role + "-" + number + ".json");
            statsFiles.add(stats);
            command.add("-javaagent:" + transport.agentJar());
            command.add("-Dexs.stats=" + stats);
        }
        command.addAll(transport.jvmArgs());
        command.add(Endpoint.class.getName());
        return new Child(label + " " + role + "-" + number, command);
    }

    @Override
    public String version() {
        return javaVersion;
    }

    @Override
    public void open(Fields spec) throws EndpointFailure {
        opened = true;
        Fields listening = call(server, new Fields("listen").withAll(spec));
        call(client, new Fields("dial").withAll(spec).withAll(listening));
        long connections = spec.has("connections") ? spec.integer("connections") : 1;
        long timeoutNs = COMMAND_TIMEOUT_NS + connections * CONNECT_TIMEOUT_NS;
        holds = spec.has("held");
        if (holds) {
            Fields held = new Fields("dial").withAll(spec).withAll(listening);
            call(holder(), held.with("connections", spec.integer("held")).with("held", 0));
        }
        all(new Fields("open"), timeoutNs);
    }

    private Child holder() throws EndpointFailure {
        try {
            holder = holder == null ? start("holder") : holder;
            return holder;
        } catch (IOException failure) {
            throw new EndpointFailure(label + " holder does not start: " + failure.getMessage());
        }
    }

    /** As {@link #both}, for the holder as well if the row has one. */
    private void all(Fields command, long timeoutNs) throws EndpointFailure {
        if (holds) {
            holder.send(command);
        }
        both(command, timeoutNs, 0);
        if (holds && holder.poll(timeoutNs) == null) {
            throw hung(command);
        }
    }

    @Override
    public Sample round(double seconds) throws EndpointFailure {
        long roundNs = (long) (seconds * 1e9);
        return both(
                new Fields("round").with("seconds", seconds),
                COMMAND_TIMEOUT_NS + 3 * roundNs,
                roundNs / CORE_SAMPLES_PER_ROUND);
    }

    @Override
    public void close() throws EndpointFailure {
        all(new Fields("close"), COMMAND_TIMEOUT_NS);
    }

    /** @param coreSampleNs the interval at which the two threads' cores are looked at; 0 for never */
    private Sample both(Fields command, long timeoutNs, long coreSampleNs) throws EndpointFailure {
        server.send(command);
        client.send(command);
        long deadlineNs = System.nanoTime() + timeoutNs;
        long pollNs = coreSampleNs > 0 ? coreSampleNs : TimeUnit.MILLISECONDS.toNanos(50);
        Fields fromServer = null;
        Fields fromClient = null;
        int samples = 0;
        int same = 0;
        while (fromServer == null || fromClient == null) {
            if (System.nanoTime() > deadlineNs) {
                throw hung(command);
            }
            if (fromClient == null) {
                fromClient = client.poll(pollNs);
                fromServer = fromServer == null ? server.poll(0) : fromServer;
            } else {
                fromServer = server.poll(pollNs);
            }
            if (coreSampleNs > 0 && fromClient == null) {
                samples++;
                same += server.core() == client.core() ? 1 : 0;
            }
        }
        return coreSampleNs == 0
                ? null
                : Sample.of(fromClient, fromServer, samples == 0 ? Double.NaN : (double) same / samples);
    }

    private Fields call(Child child, Fields command) throws EndpointFailure {
        child.send(command);
        Fields reply = child.poll(COMMAND_TIMEOUT_NS);
        if (reply == null) {
            throw hung(command);
        }
        return reply;
    }

    private EndpointFailure hung(Fields command) {
        server.dumpThreads();
        client.dumpThreads();
        if (holder != null) {
            holder.dumpThreads();
        }
        return new EndpointFailure(label + " hung in: " + command);
    }

    @Override
    public void kill() {
        server.kill();
        client.kill();
        if (holder != null) {
            holder.kill();
        }
    }

    @Override
    public List<Path> quit() throws EndpointFailure {
        boolean holderEnded = holder == null || holder.quit(QUIT_TIMEOUT_SECONDS);
        boolean clientEnded = client.quit(QUIT_TIMEOUT_SECONDS);
        boolean serverEnded = server.quit(QUIT_TIMEOUT_SECONDS);
        if (!holderEnded || !clientEnded || !serverEnded) {
            EndpointFailure failure = hung(new Fields("quit"));
            kill();
            throw failure;
        }
        return opened ? statsFiles : List.of();
    }

    /**
     * How children are started, whatever their transport.
     *
     * @param java the launcher
     * @param prefix comes before it, to confine the JVM to cores
     * @param directory for statistics files
     */
    record Launch(String java, List<String> prefix, Path directory) {}
}

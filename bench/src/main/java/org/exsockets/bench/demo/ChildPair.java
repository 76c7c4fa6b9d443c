package org.exsockets.bench.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.bench.demo.program.StepResult;

/**
 * A server and its client over one transport. Both live through all rounds of a workload, so that each round meets warm
 * JVMs. Owned by the main thread; {@link #stop} ends it in order, {@link #kill} at once.
 */
final class ChildPair {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration STEP_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(15);
    /** SIGTERM ends a JVM with 128 + 15. */
    private static final int EXIT_AFTER_SIGTERM = 143;

    private static final Pattern SERVING = Pattern.compile(".*(?:serves on port |running at tcp://.*:)(\\d+).*");

    private final Transport transport;
    private final ChildLauncher launcher;
    private final ChildJvm server;
    private ChildJvm client;
    private long bytesToServer;
    private long bytesToClient;
    private int round;

    private ChildPair(Transport transport, ChildLauncher launcher, ChildJvm server) {
        this.transport = transport;
        this.launcher = launcher;
        this.server = server;
    }

    /** Starts both sides; the client is connected to nothing yet, or to its server. */
    static ChildPair start(Workload workload, Transport transport, ChildLauncher launcher)
            throws DemoFailure, InterruptedException {
        String prefix = workload.name().toLowerCase(Locale.ROOT) + "-"
                + transport.name().toLowerCase(Locale.ROOT) + "-";
        ChildJvm server =
                launcher.start(prefix + "server", transport, workload.serverClass(), workload.serverArguments());
        ChildPair pair = new ChildPair(transport, launcher, server);
        try {
            String serving =
                    server.await("start", line -> SERVING.matcher(line).matches(), launcher.limit(START_LIMIT));
            Matcher port = SERVING.matcher(serving);
            if (!port.matches()) {
                throw new IllegalStateException("awaited line no longer matches: " + serving);
            }
            pair.client = launcher.start(prefix + "client", transport, workload.clientClass(), List.of(port.group(1)));
            pair.client.await("start", "READY"::equals, launcher.limit(START_LIMIT));
            return pair;
        } catch (DemoFailure e) {
            throw pair.explained(e);
        }
    }

    Transport transport() {
        return transport;
    }

    String serverName() {
        return server.name();
    }

    String clientName() {
        return client.name();
    }

    /** {@return payload bytes that clients reported as sent, over all steps} */
    long bytesToServer() {
        return bytesToServer;
    }

    /** {@return payload bytes that clients reported as received, over all steps} */
    long bytesToClient() {
        return bytesToClient;
    }

    /** Lets the client run a step once. */
    StepResult run(Workload.Step step, int operations) throws DemoFailure, InterruptedException {
        try {
            client.order("run " + step.name() + " " + operations + " " + round++);
            StepResult result =
                    StepResult.parse(client.await(step.name(), StepResult::isResult, launcher.limit(STEP_LIMIT)));
            bytesToServer += result.bytesToServer();
            bytesToClient += result.bytesToClient();
            return result;
        } catch (DemoFailure e) {
            throw explained(e);
        }
    }

    /** Ends the client, then the server, each with its shutdown hooks. */
    void stop() throws DemoFailure, InterruptedException {
        try {
            client.order("quit");
            client.awaitEnd(launcher.limit(END_LIMIT));
            server.terminate();
            server.awaitEnd(launcher.limit(END_LIMIT));
            if (client.exitValue() != 0 || server.exitValue() != EXIT_AFTER_SIGTERM) {
                throw new DemoFailure("exit codes: client=" + client.exitValue() + ", expected=0, server="
                        + server.exitValue() + ", expected=" + EXIT_AFTER_SIGTERM);
            }
        } catch (DemoFailure e) {
            throw explained(e);
        }
    }

    /** Ends both sides at once; harmless if they have ended. */
    void kill() {
        server.kill();
        if (client != null) {
            client.kill();
        }
    }

    private DemoFailure explained(DemoFailure failure) throws DemoFailure {
        String clientWords = client == null ? "" : client.lastWords();
        return new DemoFailure(failure.getMessage() + "\n" + clientWords + server.lastWords(), failure);
    }
}

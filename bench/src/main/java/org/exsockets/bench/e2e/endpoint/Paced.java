package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/**
 * Threads that ask at a {@link Pace}, each on a connection of its own. {@code server} names what serves them: a
 * blocking thread for each connection, one Selector, or asynchronous channels. {@code face} names how the client
 * reaches its connections.
 */
final class Paced {
    /** A client of asynchronous channels. */
    static final String ASYNC = "async";

    private static final String SELECTOR = "selector";

    private Paced() {}

    static Side.Server server(Fields spec) throws IOException {
        return switch (spec.text("server")) {
            case SELECTOR -> new EchoServer(spec.with("connections", spec.integer("threads")), false);
            case ASYNC -> new AsynchronousEchoServer(spec);
            default -> new ManyThreads.Server(spec, blocking(spec.text("face")));
        };
    }

    static Side client(Fields spec) throws IOException {
        if (spec.text("face").equals(ASYNC)) {
            int port = spec.integer("port");
            return new ManyThreads.Client(spec, options -> new FutureWire(port, options.sizeBytes()));
        }
        return new ManyThreads.Client(spec);
    }

    private static Face blocking(String ofClient) {
        return ofClient.equals(Face.SOCKET.label()) ? Face.SOCKET : Face.CHANNEL;
    }
}

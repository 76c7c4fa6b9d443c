package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** The workloads, each with its two sides. */
public enum Kind {
    ROUND_TRIP(RoundTrip.Server::new, RoundTrip.Client::new),
    ONE_WAY(OneWay.Server::new, OneWay.Client::new),
    ASYNC_ROUND_TRIP(AsynchronousRoundTrip.Server::new, AsynchronousRoundTrip.Client::new),
    ASYNC_STREAM(AsynchronousStreaming.Server::new, AsynchronousStreaming.Client::new),
    STREAM(Streaming.Server::new, Streaming.Client::new),
    ECHO(spec -> new EchoServer(spec, false), spec -> new EchoClient(spec, false)),
    FILE_SEND(FileSending.Server::new, FileSending.Client::new),
    FILE_RECEIVE(FileReceiving.Server::new, FileReceiving.Client::new),
    THREADS(ManyThreads.Server::new, ManyThreads.Client::new),
    PACED(Paced::server, Paced::client),
    /**
     * Through the ES-API in JVMs that have it, through sockets in others: as many connections as the row says, or one.
     */
    API_STREAM(Kind::apiStreamServer, Kind::apiStreamClient),
    /** As {@link #API_STREAM}. */
    API_ROUND_TRIP(
            spec -> Kind.hasApi() ? new ApiRoundTrip.Server(spec) : new RoundTrip.Server(spec),
            spec -> Kind.hasApi() ? new ApiRoundTrip.Client(spec) : new RoundTrip.Client(spec)),
    COPY(Copying.Server::new, Copying.Client::new),
    CONNECT(Connecting.Server::new, Connecting.Client::new),
    IDLE(spec -> new EchoServer(spec, true), spec -> new EchoClient(spec, true));

    private final Opening<Side.Server> server;
    private final Opening<Side> client;

    Kind(Opening<Side.Server> server, Opening<Side> client) {
        this.server = server;
        this.client = client;
    }

    private static boolean hasApi() {
        return Boolean.getBoolean("bench.api");
    }

    private static Side.Server apiStreamServer(Fields spec) throws IOException {
        if (hasApi()) {
            return new ApiStreaming.Server(spec);
        }
        return spec.has("connections") ? new PlainStreaming.Server(spec) : new Streaming.Server(spec);
    }

    private static Side apiStreamClient(Fields spec) throws IOException {
        if (hasApi()) {
            return new ApiStreaming.Client(spec);
        }
        return spec.has("connections") ? new PlainStreaming.Client(spec) : new Streaming.Client(spec);
    }

    /** {@return a side that listens already} */
    Side.Server server(Fields spec) throws IOException {
        return server.open(spec);
    }

    Side client(Fields spec) throws IOException {
        return client.open(spec);
    }

    private interface Opening<S> {
        S open(Fields spec) throws IOException;
    }
}

package org.exsockets.compat.programs.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.Results;

/** Calls of all kinds to an {@link Archive}. Arguments: its ports. */
public final class GrpcClient {
    static final int MESSAGE_BYTES = 20_000;
    private static final int CALLS = 400;
    private static final int THREADS = 4;
    private static final int MESSAGES = 300;
    private static final int LARGE_BYTES = 12_000_000;

    private final ManagedChannel channel;
    private final Results results;

    private GrpcClient(ManagedChannel channel, Results results) {
        this.channel = channel;
        this.results = results;
    }

    public static void main(String[] arguments) {
        Driver.work(results -> {
            with(InsecureChannelCredentials.create(), arguments[0], results);
            with(
                    TlsChannelCredentials.newBuilder()
                            .trustManager(Keys.trust().getTrustManagers())
                            .build(),
                    arguments[1],
                    results);
            results.put("calls", 2 * (CALLS * THREADS + 1));
        });
    }

    private static void with(ChannelCredentials credentials, String port, Results results) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(Ports.HOST, Integer.parseInt(port)), credentials)
                .maxInboundMessageSize(Archive.LARGEST_MESSAGE_BYTES)
                .build();
        try {
            GrpcClient client = new GrpcClient(channel, results);
            client.manyCalls();
            client.hash(LARGE_BYTES);
            client.fetch();
            client.store();
            client.echo();
            client.errors();
        } finally {
            channel.shutdown();
            Expect.that(channel.awaitTermination(20, TimeUnit.SECONDS), "the channel ends");
        }
    }

    private void manyCalls() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            done.add(threads.submit(() -> {
                for (int call = 1; call <= CALLS; call++) {
                    hash(call);
                }
            }));
        }
        for (Future<?> each : done) {
            each.get();
        }
        threads.shutdown();
    }

    private void hash(int length) {
        byte[] content = Content.bytes(length, length);
        byte[] hash = ClientCalls.blockingUnaryCall(channel, Archive.HASH, CallOptions.DEFAULT, content);
        Expect.equal(Content.hash(content), new String(hash, US_ASCII), "digest of " + length + " bytes");
        results.toServer(length);
    }

    private void fetch() {
        Iterator<byte[]> messages = ClientCalls.blockingServerStreamingCall(
                channel,
                Archive.FETCH,
                CallOptions.DEFAULT,
                Integer.toString(MESSAGES).getBytes(US_ASCII));
        int received = 0;
        while (messages.hasNext()) {
            byte[] message = messages.next();
            Expect.equal(Content.bytes(received, MESSAGE_BYTES), message, "message " + received);
            results.toClient(message.length);
            received++;
        }
        Expect.equal(MESSAGES, received, "messages fetched");
    }

    private void store() throws Exception {
        Answers answers = new Answers();
        StreamObserver<byte[]> out =
                ClientCalls.asyncClientStreamingCall(channel.newCall(Archive.STORE, CallOptions.DEFAULT), answers);
        MessageDigest all = Content.digest();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = Content.bytes(i, MESSAGE_BYTES);
            all.update(message);
            out.onNext(message);
            results.toServer(message.length);
        }
        out.onCompleted();
        Expect.equal(Content.hex(all), new String(answers.all().get(0), US_ASCII), "digest of what was stored");
    }

    private void echo() throws Exception {
        Answers answers = new Answers();
        StreamObserver<byte[]> out =
                ClientCalls.asyncBidiStreamingCall(channel.newCall(Archive.ECHO, CallOptions.DEFAULT), answers);
        for (int i = 0; i < MESSAGES; i++) {
            out.onNext(Content.bytes(i, MESSAGE_BYTES));
            results.toServer(MESSAGE_BYTES);
        }
        out.onCompleted();
        List<byte[]> echoes = answers.all();
        Expect.equal(MESSAGES, echoes.size(), "echoes");
        for (int i = 0; i < MESSAGES; i++) {
            Expect.equal(Content.bytes(i, MESSAGE_BYTES), echoes.get(i), "echo " + i);
            results.toClient(MESSAGE_BYTES);
        }
    }

    private void errors() {
        StatusRuntimeException refused =
                failure(() -> ClientCalls.blockingUnaryCall(channel, Archive.HASH, CallOptions.DEFAULT, new byte[0]));
        Expect.equal(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode(), "error of the server");
        Expect.equal("nothing to digest", refused.getStatus().getDescription(), "its description");
        CallOptions hurried = CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS);
        StatusRuntimeException late = failure(
                () -> ClientCalls.blockingServerStreamingCall(channel, Archive.FETCH, hurried, "-1".getBytes(US_ASCII))
                        .hasNext());
        Expect.equal(Status.Code.DEADLINE_EXCEEDED, late.getStatus().getCode(), "call that is never answered");
        hash(1);
    }

    private static StatusRuntimeException failure(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            return e;
        }
        throw new AssertionError("the call did not fail");
    }

    /** Collects what a call answers. */
    private static final class Answers implements StreamObserver<byte[]> {
        private final List<byte[]> received = new ArrayList<>();
        private final CompletableFuture<List<byte[]>> end = new CompletableFuture<>();

        @Override
        public void onNext(byte[] message) {
            received.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            end.complete(received);
        }

        List<byte[]> all() throws Exception {
            return end.get(60, TimeUnit.SECONDS);
        }
    }
}

package org.exsockets.compat.programs.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;

/** An {@link Archive}, without TLS and with it. */
public final class GrpcServer {
    private GrpcServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Server plain = start(InsecureServerCredentials.create());
            Server tls = start(TlsServerCredentials.newBuilder()
                    .keyManager(Keys.identity().getKeyManagers())
                    .build());
            return new Driver.Running(
                    () -> {
                        plain.shutdown().awaitTermination();
                        tls.shutdown().awaitTermination();
                    },
                    plain.getPort(),
                    tls.getPort());
        });
    }

    private static Server start(ServerCredentials credentials) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(Ports.HOST, 0), credentials)
                .maxInboundMessageSize(Archive.LARGEST_MESSAGE_BYTES)
                .addService(service())
                .build()
                .start();
    }

    private static ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(Archive.NAME)
                .addMethod(Archive.HASH, ServerCalls.asyncUnaryCall(GrpcServer::hash))
                .addMethod(Archive.FETCH, ServerCalls.asyncServerStreamingCall(GrpcServer::fetch))
                .addMethod(Archive.STORE, ServerCalls.asyncClientStreamingCall(GrpcServer::store))
                .addMethod(Archive.ECHO, ServerCalls.asyncBidiStreamingCall(GrpcServer::echo))
                .build();
    }

    private static void hash(byte[] request, StreamObserver<byte[]> answer) {
        if (request.length == 0) {
            answer.onError(
                    Status.INVALID_ARGUMENT.withDescription("nothing to digest").asRuntimeException());
            return;
        }
        answer.onNext(Content.hash(request).getBytes(US_ASCII));
        answer.onCompleted();
    }

    /** Sends when the client has room; a negative number is never answered. */
    private static void fetch(byte[] request, StreamObserver<byte[]> answer) {
        int count = Integer.parseInt(new String(request, US_ASCII));
        ServerCallStreamObserver<byte[]> room = (ServerCallStreamObserver<byte[]>) answer;
        int[] sent = {0};
        room.setOnReadyHandler(() -> {
            while (room.isReady() && sent[0] < count) {
                room.onNext(Content.bytes(sent[0], GrpcClient.MESSAGE_BYTES));
                if (++sent[0] == count) {
                    room.onCompleted();
                }
            }
        });
    }

    private static StreamObserver<byte[]> store(StreamObserver<byte[]> answer) {
        MessageDigest all = Content.digest();
        return new Receiving(answer) {
            @Override
            public void onNext(byte[] message) {
                all.update(message);
            }

            @Override
            public void onCompleted() {
                answer.onNext(Content.hex(all).getBytes(US_ASCII));
                answer.onCompleted();
            }
        };
    }

    private static StreamObserver<byte[]> echo(StreamObserver<byte[]> answer) {
        return new Receiving(answer) {
            @Override
            public void onNext(byte[] message) {
                answer.onNext(message);
            }

            @Override
            public void onCompleted() {
                answer.onCompleted();
            }
        };
    }

    /** What the server does with messages; a client that gives up is answered in kind. */
    private abstract static class Receiving implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> answer;

        Receiving(StreamObserver<byte[]> answer) {
            this.answer = answer;
        }

        @Override
        public void onError(Throwable failure) {
            answer.onError(failure);
        }
    }
}

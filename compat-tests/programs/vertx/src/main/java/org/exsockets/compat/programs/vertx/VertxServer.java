package org.exsockets.compat.programs.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Keys;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.WebApplication;

/** Serves the web application with HTTP/1.1, HTTP/2 and WebSockets; sends what is large from files. */
public final class VertxServer {
    private static final long LIMIT_SECONDS = 60;
    private static final int LARGEST_MESSAGE_BYTES = 2_000_000;
    private static final int FILE_BYTES = 48 * 1024;

    private VertxServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Vertx vertx = Vertx.vertx();
            HttpServer plain = start(vertx, new HttpServerOptions());
            HttpServer tls = start(
                    vertx,
                    new HttpServerOptions()
                            .setSsl(true)
                            .setUseAlpn(true)
                            .setKeyCertOptions(
                                    new PfxOptions().setPath(Keys.FILE).setPassword(Keys.PASSWORD)));
            return new Driver.Running(
                    () -> vertx.close()
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(LIMIT_SECONDS, TimeUnit.SECONDS),
                    "h1=http://" + address(plain),
                    "h2=http://" + address(plain),
                    "ws=ws://" + address(plain) + "/echo",
                    "h1=https://" + address(tls),
                    "h2=https://" + address(tls));
        });
    }

    private static HttpServer start(Vertx vertx, HttpServerOptions options) throws Exception {
        options.setMaxWebSocketMessageSize(LARGEST_MESSAGE_BYTES).setMaxWebSocketFrameSize(LARGEST_MESSAGE_BYTES);
        return vertx.createHttpServer(options)
                .webSocketHandler(VertxServer::echo)
                .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
                .listen(0, Ports.HOST)
                .toCompletionStage()
                .toCompletableFuture()
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static String address(HttpServer server) {
        return Ports.HOST + ":" + server.actualPort();
    }

    private static void echo(ServerWebSocket socket) {
        socket.textMessageHandler(socket::writeTextMessage);
        socket.binaryMessageHandler(socket::writeBinaryMessage);
    }

    private static void answer(HttpServerRequest request, Buffer body) {
        WebApplication.Answer answer = WebApplication.answer(request.method().name(), request.path(), body.getBytes());
        request.response().setStatusCode(answer.status());
        if (answer.body().length < FILE_BYTES) {
            request.response().end(Buffer.buffer(answer.body()));
            return;
        }
        try {
            Path file = Files.write(Files.createTempFile("body", ""), answer.body());
            request.response().sendFile(file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.exsockets.compat.programs.undertow;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.HttpString;
import io.undertow.websockets.core.AbstractReceiveListener;
import io.undertow.websockets.core.BufferedBinaryMessage;
import io.undertow.websockets.core.BufferedTextMessage;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.WebApplication;

/** Serves the web application with HTTP/1.1, HTTP/2 and WebSockets. */
public final class UndertowServer {
    private static final long LARGEST_BODY_BYTES = 100L << 20;

    private UndertowServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            Undertow undertow = Undertow.builder()
                    .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                    .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, LARGEST_BODY_BYTES)
                    .addHttpListener(0, Ports.HOST)
                    .addHttpsListener(0, Ports.HOST, SSLContext.getDefault())
                    .setHandler(Handlers.path(new BlockingHandler(UndertowServer::answer))
                            .addExactPath("/echo", Handlers.websocket((exchange, channel) -> {
                                channel.getReceiveSetter().set(new Echo());
                                channel.resumeReceives();
                            })))
                    .build();
            undertow.start();
            return new Driver.Running(
                    undertow::stop,
                    "h1=http://" + address(undertow, 0),
                    "h2=http://" + address(undertow, 0),
                    "ws=ws://" + address(undertow, 0) + "/echo",
                    "h1=https://" + address(undertow, 1),
                    "h2=https://" + address(undertow, 1));
        });
    }

    private static String address(Undertow undertow, int listener) {
        return Ports.HOST + ":"
                + ((InetSocketAddress) undertow.getListenerInfo().get(listener).getAddress()).getPort();
    }

    private static void answer(HttpServerExchange exchange) throws IOException {
        WebApplication.Answer answer = WebApplication.answer(
                exchange.getRequestMethod().toString(),
                exchange.getRequestPath(),
                exchange.getInputStream().readAllBytes());
        exchange.setStatusCode(answer.status());
        exchange.getResponseHeaders().put(new HttpString("Content-Length"), Integer.toString(answer.body().length));
        exchange.getOutputStream().write(answer.body());
    }

    private static final class Echo extends AbstractReceiveListener {
        @Override
        protected void onError(WebSocketChannel channel, Throwable failure) {
            failure.printStackTrace();
            super.onError(channel, failure);
        }

        @Override
        protected void onFullTextMessage(WebSocketChannel channel, BufferedTextMessage message) {
            WebSockets.sendText(message.getData(), channel, null);
        }

        @Override
        protected void onFullBinaryMessage(WebSocketChannel channel, BufferedBinaryMessage message) {
            try (var pooled = message.getData()) {
                ByteBuffer received = WebSockets.mergeBuffers(pooled.getResource());
                ByteBuffer copy =
                        ByteBuffer.allocate(received.remaining()).put(received).flip();
                WebSockets.sendBinary(copy, channel, null);
            }
        }
    }
}

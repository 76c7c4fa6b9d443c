package org.exsockets.compat.programs.jdk;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;

/** The JDK's WebSocket client against an echo: texts, large binary messages in pieces, a ping, an orderly end. */
final class WebSocketClient {
    private static final int TEXTS = 100;
    private static final int[] BINARY_BYTES = {2, 70_000, 1_000_000};
    private static final long LIMIT_SECONDS = 60;

    private final URI address;

    WebSocketClient(URI address) {
        this.address = address;
    }

    void work(Results results) throws Exception {
        Received received = new Received();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, received)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        for (int i = 1; i <= TEXTS; i++) {
            String text = Content.text(i, i * 10);
            socket.sendText(text, true).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            Expect.equal(text, received.next(), "text " + i);
            results.toServer(text.length());
            results.toClient(text.length());
        }
        for (int length : BINARY_BYTES) {
            byte[] bytes = Content.bytes(length, length);
            int half = length / 2;
            socket.sendBinary(ByteBuffer.wrap(bytes, 0, half), false).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            socket.sendBinary(ByteBuffer.wrap(bytes, half, length - half), true).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            Expect.equal(bytes, received.next(), "binary message of " + length + " bytes");
            results.toServer(length);
            results.toClient(length);
        }
        socket.sendPing(ByteBuffer.wrap(new byte[] {1, 2, 3})).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Expect.equal("pong of 3 bytes", received.next(), "answer to a ping");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "done").get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Expect.equal("close " + WebSocket.NORMAL_CLOSURE, received.next(), "end");
    }

    /** Puts the pieces of messages together. The client calls one method at a time. */
    private static final class Received implements WebSocket.Listener {
        private final BlockingQueue<Object> messages = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream binary = new ByteArrayOutputStream();

        Object next() throws InterruptedException {
            return messages.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence piece, boolean last) {
            text.append(piece);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer piece, boolean last) {
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            binary.writeBytes(bytes);
            if (last) {
                messages.add(binary.toByteArray());
                binary.reset();
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            messages.add("pong of " + message.remaining() + " bytes");
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            messages.add("close " + status);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            messages.add(failure);
        }
    }
}

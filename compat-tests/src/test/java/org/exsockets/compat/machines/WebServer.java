package org.exsockets.compat.machines;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's web server: says its paths back, hands out and takes in big bodies, and ends when asked to. */
final class WebServer {
    private WebServer() {}

    /**
     * Serves until somebody asks for {@code /end}.
     *
     * @param arguments the address, the port, and a file to create as soon as clients may come
     */
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 50);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        CountDownLatch ended = new CountDownLatch(1);
        server.setExecutor(threads);
        server.createContext("/echo/", exchange -> {
            byte[] answer = exchange.getRequestURI().getPath().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.createContext("/down/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            exchange.sendResponseHeaders(200, 0);
            Payload.write(exchange.getResponseBody(), Integer.parseInt(path.substring("/down/".length())));
            exchange.close();
        });
        server.createContext("/up", exchange -> {
            String checksum = Long.toHexString(Payload.checksum(exchange.getRequestBody()));
            byte[] answer = checksum.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.createContext("/end", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            ended.countDown();
        });
        server.start();
        Files.createFile(Path.of(arguments[2]));
        ended.await();
        server.stop(1);
        threads.shutdown();
    }
}

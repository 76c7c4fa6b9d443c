package org.exsockets.compat.programs.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;
import org.exsockets.compat.programs.driver.WebApplication;

/** {@code com.sun.net.httpserver}, without TLS and with it. */
public final class WebServer {
    private static final int BACKLOG = 100;

    private WebServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            ExecutorService threads = Executors.newFixedThreadPool(8);
            HttpServer plain = HttpServer.create(new InetSocketAddress(Ports.HOST, 0), BACKLOG);
            HttpsServer tls = HttpsServer.create(new InetSocketAddress(Ports.HOST, 0), BACKLOG);
            tls.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
            for (HttpServer server : new HttpServer[] {plain, tls}) {
                server.setExecutor(threads);
                server.createContext("/", WebServer::answer);
                server.start();
            }
            return new Driver.Running(
                    () -> {
                        plain.stop(0);
                        tls.stop(0);
                        threads.shutdown();
                    },
                    "h1=http://" + Ports.HOST + ":" + plain.getAddress().getPort(),
                    "old=http://" + Ports.HOST + ":" + plain.getAddress().getPort(),
                    "h1=https://" + Ports.HOST + ":" + tls.getAddress().getPort(),
                    "old=https://" + Ports.HOST + ":" + tls.getAddress().getPort());
        });
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            WebApplication.Answer answer = WebApplication.answer(
                    exchange.getRequestMethod(), exchange.getRequestURI().getPath(), body);
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }
}

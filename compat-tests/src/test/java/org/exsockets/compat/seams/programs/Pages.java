package org.exsockets.compat.seams.programs;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Random;

/** The JDK's own HTTP server with one page, or its client, which says whether it has got that page. */
public final class Pages {
    private static final int PAGE_BYTES = 1 << 20;

    private Pages() {}

    /** @param args none: the server; a port: the client */
    public static void main(String[] args) throws Exception {
        byte[] page = new byte[PAGE_BYTES];
        new Random(PAGE_BYTES).nextBytes(page);
        InetAddress host = InetAddress.getByName("127.0.0.1");
        if (args.length > 0) {
            URI uri = URI.create("http://" + host.getHostAddress() + ":" + args[0] + "/");
            HttpResponse<byte[]> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
            System.out.println("page " + (response.statusCode() == 200 && Arrays.equals(page, response.body())));
            return;
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(host, 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        System.in.read();
        server.stop(0);
    }
}

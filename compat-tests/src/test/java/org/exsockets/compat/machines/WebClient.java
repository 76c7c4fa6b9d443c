package org.exsockets.compat.machines;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The JDK's web client: many small requests in turn and at a time, then one big body each way. */
final class WebClient {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    private WebClient(String base) {
        this.base = base;
    }

    /**
     * Does everything once.
     *
     * @param arguments the server's address and port, and the length of the big bodies in MiB
     */
    public static void main(String[] arguments) throws Exception {
        WebClient web = new WebClient("http://" + arguments[0] + ":" + arguments[1]);
        int mebibytes = Integer.parseInt(arguments[2]);
        long startNs = System.nanoTime();
        web.inTurn(200);
        startNs = lap("200 requests in turn", startNs);
        web.atATime(20, 8);
        startNs = lap("20 times 8 requests at a time", startNs);
        long checksum = Payload.checksum(mebibytes);
        startNs = lap("checksum of " + mebibytes + " MiB", startNs);
        web.download(mebibytes, checksum);
        startNs = lap("download of " + mebibytes + " MiB, checksum " + Long.toHexString(checksum), startNs);
        web.upload(mebibytes, checksum);
        lap("upload of " + mebibytes + " MiB, checksum " + Long.toHexString(checksum), startNs);
        web.client.send(web.request("/end").build(), BodyHandlers.discarding());
    }

    private void inTurn(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            check("/echo/" + i, client.send(request("/echo/" + i).build(), BodyHandlers.ofString()));
        }
    }

    private void atATime(int times, int requests) {
        for (int i = 0; i < times; i++) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int j = 0; j < requests; j++) {
                answers.add(client.sendAsync(request("/echo/" + j).build(), BodyHandlers.ofString()));
            }
            for (int j = 0; j < requests; j++) {
                check("/echo/" + j, answers.get(j).join());
            }
        }
    }

    private void download(int mebibytes, long checksum) throws Exception {
        try (InputStream in = client.send(request("/down/" + mebibytes).build(), BodyHandlers.ofInputStream())
                .body()) {
            demand("checksum of the download", checksum, Payload.checksum(in));
        }
    }

    private void upload(int mebibytes, long checksum) throws Exception {
        HttpRequest post = request("/up")
                .POST(BodyPublishers.ofInputStream(() -> Payload.stream(mebibytes)))
                .build();
        check(Long.toHexString(checksum), client.send(post, BodyHandlers.ofString()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private static void check(String expected, HttpResponse<String> answer) {
        demand("status of " + answer.uri(), 200, answer.statusCode());
        demand("answer of " + answer.uri(), expected, answer.body());
    }

    private static void demand(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException(what + ": expected=" + expected + ", actual=" + actual);
        }
    }

    private static long lap(String what, long startNs) {
        long nowNs = System.nanoTime();
        System.out.printf("%s: %.1f s%n", what, (nowNs - startNs) / 1e9);
        return nowNs;
    }
}

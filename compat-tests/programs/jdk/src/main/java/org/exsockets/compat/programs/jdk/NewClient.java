package org.exsockets.compat.programs.jdk;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;
import org.exsockets.compat.programs.driver.WebApplication;

/** {@code java.net.http.HttpClient}: requests one after the other and many at once, large bodies each way. */
final class NewClient {
    private static final int ONE_BY_ONE = 60;
    private static final int AT_ONCE = 16;
    private static final int LARGE_BYTES = 3_000_000;

    private final URI base;
    private final HttpClient.Version version;
    private final HttpClient client;

    NewClient(URI base, HttpClient.Version version) {
        this.base = base;
        this.version = version;
        this.client = HttpClient.newBuilder().version(version).build();
    }

    void work(Results results) throws Exception {
        for (int i = 0; i < ONE_BY_ONE; i++) {
            checkItem(i, client.send(item(i), BodyHandlers.ofString()), results);
        }
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            answers.add(client.sendAsync(item(i), BodyHandlers.ofString()));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            checkItem(i, answers.get(i).get(), results);
        }
        large(results);
        HttpResponse<byte[]> missing =
                client.send(HttpRequest.newBuilder(base.resolve("/nowhere")).build(), BodyHandlers.ofByteArray());
        Expect.equal(404, missing.statusCode(), "status of what does not exist");
    }

    private HttpRequest item(int number) {
        return HttpRequest.newBuilder(base.resolve("/item/" + number)).build();
    }

    private void checkItem(int number, HttpResponse<String> answer, Results results) {
        Expect.equal(200, answer.statusCode(), "status of item " + number);
        Expect.equal(version, answer.version(), "version of HTTP");
        Expect.equal(WebApplication.item(number), answer.body(), "item " + number);
        results.toClient(answer.body().length());
    }

    private void large(Results results) throws Exception {
        HttpResponse<byte[]> answer = client.send(
                HttpRequest.newBuilder(base.resolve("/bytes/" + LARGE_BYTES)).build(), BodyHandlers.ofByteArray());
        byte[] expected = WebApplication.bytes(LARGE_BYTES);
        Expect.equal(expected, answer.body(), "large body");
        results.toClient(LARGE_BYTES);
        for (HttpRequest.BodyPublisher body : List.of(
                BodyPublishers.ofByteArray(expected),
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(expected)))) {
            HttpResponse<String> hash = client.send(
                    HttpRequest.newBuilder(base.resolve("/hash")).POST(body).build(), BodyHandlers.ofString());
            Expect.equal(200, hash.statusCode(), "status of the large body");
            Expect.equal(Content.hash(expected), hash.body(), "digest of the large body");
            results.toServer(LARGE_BYTES);
        }
    }
}

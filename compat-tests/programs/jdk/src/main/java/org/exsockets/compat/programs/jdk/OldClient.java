package org.exsockets.compat.programs.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Expect;
import org.exsockets.compat.programs.driver.Results;
import org.exsockets.compat.programs.driver.WebApplication;

/** {@code HttpURLConnection}, over sockets with streams; with TLS it is an {@code SSLSocket}. */
final class OldClient {
    private static final int ONE_BY_ONE = 60;
    private static final int LARGE_BYTES = 3_000_000;
    private static final int CHUNK_BYTES = 30_000;

    private final URI base;

    OldClient(URI base) {
        this.base = base;
    }

    void work(Results results) throws IOException {
        for (int i = 0; i < ONE_BY_ONE; i++) {
            byte[] item = body(open("/item/" + i));
            Expect.equal(WebApplication.item(i), new String(item, StandardCharsets.US_ASCII), "item " + i);
            results.toClient(item.length);
        }
        Expect.equal(WebApplication.bytes(LARGE_BYTES), body(open("/bytes/" + LARGE_BYTES)), "large body");
        results.toClient(LARGE_BYTES);
        HttpURLConnection upload = open("/hash");
        upload.setDoOutput(true);
        upload.setChunkedStreamingMode(CHUNK_BYTES);
        byte[] sent = Content.bytes(1, LARGE_BYTES);
        try (OutputStream out = upload.getOutputStream()) {
            out.write(sent);
        }
        Expect.equal(
                Content.hash(sent), new String(body(upload), StandardCharsets.US_ASCII), "digest of the large body");
        results.toServer(LARGE_BYTES);
        Expect.equal(404, open("/nowhere").getResponseCode(), "status of what does not exist");
    }

    private HttpURLConnection open(String path) throws IOException {
        return (HttpURLConnection) base.resolve(path).toURL().openConnection();
    }

    private static byte[] body(HttpURLConnection connection) throws IOException {
        Expect.equal(200, connection.getResponseCode(), "status of " + connection.getURL());
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }
}

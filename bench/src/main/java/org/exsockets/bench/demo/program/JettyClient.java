package org.exsockets.bench.demo.program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;

/**
 * The JDK's HttpClient against {@link JettyServer}: {@code get-N} sends small requests from N threads over kept-alive
 * connections, {@code download} fetches one body of {@code operations} MiB. Argument: the server's port.
 */
public final class JettyClient implements ClientOrders.Steps {
    private static final int CHUNKS_PER_MIB = (1 << 20) / Payload.CHUNK_BYTES;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;

    private JettyClient(int port) {
        base = "http://" + ServerHost.NAME + ":" + port;
    }

    /** Follows orders from standard input. */
    public static void main(String[] arguments) {
        ClientOrders.follow(new JettyClient(Integer.parseInt(arguments[0])));
    }

    @Override
    public StepResult run(String step, int operations, int round) throws Exception {
        return step.equals("download")
                ? download(operations)
                : get(operations, Integer.parseInt(step.substring("get-".length())));
    }

    private StepResult get(int operations, int threads) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            Latencies latencies = new Latencies();
            List<Callable<Long>> shares = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                shares.add(() -> getShare(first, threads, operations, latencies));
            }
            long checksum = 0;
            for (Future<Long> share : executor.invokeAll(shares)) {
                checksum += share.get();
            }
            return latencies.result(operations, 0, (long) operations * JettyItem.LENGTH_BYTES, checksum);
        } finally {
            executor.shutdown();
        }
    }

    /** {@return the sum of the items' checksums, which does not depend on the order of the threads} */
    private long getShare(int first, int stride, int end, Latencies latencies) throws Exception {
        long checksum = 0;
        for (int number = first; number < end; number += stride) {
            HttpRequest request = request("/item/" + number);
            long beganNs = System.nanoTime();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            latencies.recordSince(beganNs);
            String expected = JettyItem.text(number);
            if (response.statusCode() != 200 || !response.body().equals(expected)) {
                throw new IOException("item " + number + ": status=" + response.statusCode() + ", body="
                        + response.body() + ", expected=" + expected);
            }
            checksum += response.body().hashCode();
        }
        return checksum;
    }

    private StepResult download(int mebibytes) throws Exception {
        long chunks = (long) mebibytes * CHUNKS_PER_MIB;
        CRC32C crc = new CRC32C();
        long[] receivedBytes = new long[1];
        Latencies latencies = new Latencies();
        HttpResponse<Void> response =
                client.send(request("/download/" + chunks), info -> new ChecksumSubscriber(crc, receivedBytes));
        StepResult result = latencies.result(mebibytes, 0, receivedBytes[0], crc.getValue());
        long expectedBytes = chunks * Payload.CHUNK_BYTES;
        long expectedChecksum = Payload.checksum(chunks);
        if (response.statusCode() != 200
                || receivedBytes[0] != expectedBytes
                || result.checksum() != expectedChecksum) {
            throw new IOException("download: status=" + response.statusCode() + ", bytes=" + receivedBytes[0]
                    + ", expected=" + expectedBytes + ", crc32c=" + Long.toHexString(result.checksum())
                    + ", expected=" + Long.toHexString(expectedChecksum));
        }
        return result;
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).build();
    }
}

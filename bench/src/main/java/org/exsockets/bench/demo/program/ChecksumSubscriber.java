package org.exsockets.bench.demo.program;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.zip.Checksum;

/** Consumes a response body into a checksum and a byte count, as it arrives. Called by the HTTP client's threads. */
final class ChecksumSubscriber implements BodySubscriber<Void> {
    private final Checksum checksum;
    private final long[] receivedBytes;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /**
     * @param receivedBytes its first element counts the bytes; like the checksum, valid once the response is complete
     */
    ChecksumSubscriber(Checksum checksum, long[] receivedBytes) {
        this.checksum = checksum;
        this.receivedBytes = receivedBytes;
    }

    @Override
    public CompletionStage<Void> getBody() {
        return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            receivedBytes[0] += buffer.remaining();
            checksum.update(buffer);
        }
    }

    @Override
    public void onError(Throwable failure) {
        done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        done.complete(null);
    }
}

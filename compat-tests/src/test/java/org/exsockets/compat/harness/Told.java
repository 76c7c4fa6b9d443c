package org.exsockets.compat.harness;

import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A completion handler that a test waits for. Any thread may use it.
 *
 * @param <V> what the operation yields
 */
public final class Told<V> implements CompletionHandler<V, Object> {
    private final CompletableFuture<V> outcome = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Thread thread;
    private volatile Object attachment;

    @Override
    public void completed(V result, Object given) {
        told(given);
        outcome.complete(result);
    }

    @Override
    public void failed(Throwable failure, Object given) {
        told(given);
        outcome.completeExceptionally(failure);
    }

    private void told(Object given) {
        thread = Thread.currentThread();
        attachment = given;
        calls.incrementAndGet();
    }

    /** Waits for the result; throws what the handler was told instead. */
    public V result() throws Throwable {
        try {
            return Patience.get("the handler is called", outcome);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** Waits for the failure. */
    public Throwable failure() throws InterruptedException {
        try {
            V result = Patience.get("the handler is called", outcome);
            throw new AssertionError("no failure, but " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    public boolean isDone() {
        return outcome.isDone();
    }

    /** The thread that called. */
    public Thread thread() {
        return thread;
    }

    public Object attachment() {
        return attachment;
    }

    public int calls() {
        return calls.get();
    }
}

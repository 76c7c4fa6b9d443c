package org.exsockets.compat.fuzz;

import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Waits for the outcome of an asynchronous operation as if it were a blocking call that an interrupt does not end.
 *
 * @param <V> what the operation returns
 */
final class Completion<V> implements CompletionHandler<V, Void> {
    private final CompletableFuture<V> outcome = new CompletableFuture<>();

    @Override
    public void completed(V result, Void none) {
        outcome.complete(result);
    }

    @Override
    public void failed(Throwable thrown, Void none) {
        outcome.completeExceptionally(thrown);
    }

    V await() throws Exception {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return outcome.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof Exception cause) {
                        throw cause;
                    }
                    throw e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

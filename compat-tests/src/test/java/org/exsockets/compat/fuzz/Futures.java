package org.exsockets.compat.fuzz;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The futures of a channel's operations, for others to cancel. Thread-safe. */
final class Futures {
    private final Map<String, Future<?>> latest = new ConcurrentHashMap<>();

    /** @param direction {@code read}, {@code write} or {@code accept}: what there is one of at a time */
    <V> V await(String direction, Future<V> future) throws InterruptedException, ExecutionException {
        latest.put(direction, future);
        return future.get();
    }

    /** Cancels the latest operation of a direction, and tells what that has done. */
    String cancel(String direction, boolean close) {
        Future<?> future = latest.get(direction);
        return future == null
                ? "no future"
                : future.cancel(close) + (future.isCancelled() ? " cancelled" : "") + (future.isDone() ? " done" : "");
    }
}

package org.exsockets.verbs.soft;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.exsockets.jdk.Threads;
import org.exsockets.verbs.Endpoint;

/** Finishes the hand-shake of a client that was stopped between connecting and writing its hello. Rare and bounded. */
final class LateHello implements Runnable {
    private static final long LIMIT_NS = 5_000_000_000L;
    private static final long POLL_NS = 1_000_000L;
    private static final int MAX_WAITING = 64;

    private static final AtomicInteger WAITING = new AtomicInteger();

    private final HelloReader reader;
    private final Consumer<Endpoint> completed;
    private final Consumer<HelloReader> unmapped;

    private LateHello(HelloReader reader, Consumer<Endpoint> completed, Consumer<HelloReader> unmapped) {
        this.reader = reader;
        this.completed = completed;
        this.unmapped = unmapped;
    }

    /**
     * @param unmapped takes a reader whose segment cannot be mapped for want of descriptors or mappings
     * @throws IOException if too many clients are being waited for already, or no thread is to be had
     */
    static void start(HelloReader reader, Consumer<Endpoint> completed, Consumer<HelloReader> unmapped)
            throws IOException {
        start(
                new LateHello(reader, completed, unmapped),
                waiting -> Threads.daemon("exs-hello", waiting).start());
    }

    static void start(Runnable waiting, Consumer<Runnable> starter) throws IOException {
        if (WAITING.incrementAndGet() > MAX_WAITING) {
            WAITING.decrementAndGet();
            throw new IOException("hello: missing, and too many others are missing: limit=" + MAX_WAITING);
        }
        try {
            starter.accept(waiting);
        } catch (Throwable e) {
            // No memory for a thread, mostly: that is for this client, and not for the program that accepts.
            WAITING.decrementAndGet();
            throw new IOException("hello: missing, and no thread can wait for it: " + e.getMessage(), e);
        }
    }

    @Override
    public void run() {
        long startNs = System.nanoTime();
        try {
            Endpoint endpoint;
            while ((endpoint = reader.tryRead()) == null) {
                if (System.nanoTime() - startNs > LIMIT_NS) {
                    throw new IOException("hello: none within " + LIMIT_NS / 1_000_000 + " ms");
                }
                LockSupport.parkNanos(POLL_NS);
            }
            completed.accept(endpoint);
        } catch (NoResourcesException e) {
            unmapped.accept(reader);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            SoftListener.refuse(reader.channel(), e);
        } finally {
            WAITING.decrementAndGet();
        }
    }
}

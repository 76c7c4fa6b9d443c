package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;

/** Threads of the parent that do nothing but load the cores, one per core, until closed. */
final class BusyLoops implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    BusyLoops(int count) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::loop, "busy loop " + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void loop() {
        while (!closed) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}

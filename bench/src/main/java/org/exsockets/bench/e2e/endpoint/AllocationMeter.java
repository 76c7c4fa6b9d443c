package org.exsockets.bench.e2e.endpoint;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Heap bytes that the calling thread allocates within one kind of call. Itself allocates nothing. */
final class AllocationMeter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private long beforeBytes;
    private long totalBytes;
    private long calls;

    AllocationMeter(String name) {
        this.name = name;
    }

    void before() {
        beforeBytes = THREADS.getCurrentThreadAllocatedBytes();
    }

    void after() {
        totalBytes += THREADS.getCurrentThreadAllocatedBytes() - beforeBytes;
        calls++;
    }

    void reset() {
        totalBytes = 0;
        calls = 0;
    }

    void into(Fields figures) {
        if (calls > 0) {
            figures.with(name, (double) totalBytes / calls);
        }
    }
}

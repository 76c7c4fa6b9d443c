package org.exsockets.compat.fuzz;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.exsockets.compat.harness.VirtualThread;

/** Where operations of this process run: on the thread that was told to, or on a virtual one. Thread-safe. */
final class Threads {
    private static volatile boolean virtual;

    private Threads() {}

    /** From now on, if this JDK has virtual threads. */
    static String useVirtualOnes(boolean use) {
        virtual = use && VirtualThread.supported();
        return "ok";
    }

    static String run(Supplier<String> call) {
        if (!virtual) {
            return call.get();
        }
        CompletableFuture<String> outcome = new CompletableFuture<>();
        VirtualThread.start(() -> outcome.complete(call.get()));
        return outcome.join();
    }
}

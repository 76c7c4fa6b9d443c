package org.exsockets.compat.fuzz;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The operations that this process is executing, by their numbers. Thread-safe. */
final class Calls {
    private static final Map<Integer, Calls> RUNNING = new ConcurrentHashMap<>();
    private static final ThreadLocal<Calls> CURRENT = new ThreadLocal<>();

    private final Thread thread = Thread.currentThread();

    /** Written by the thread of the call only. */
    private volatile boolean bounded;

    private Calls() {}

    /** Makes the call and tells its outcome; whether it leaves the thread interrupted belongs to that. */
    static String watched(int number, Callable<String> call) {
        Calls running = new Calls();
        RUNNING.put(number, running);
        CURRENT.set(running);
        String outcome;
        try {
            outcome = call.call();
        } catch (Throwable thrown) {
            outcome = outcome(thrown);
        } finally {
            CURRENT.remove();
            RUNNING.remove(number);
        }
        return Thread.interrupted() ? outcome + " [interrupted]" : outcome;
    }

    static String outcome(Throwable thrown) {
        String message = thrown.getMessage();
        return "!" + thrown.getClass().getName() + (message == null ? "" : ": " + message);
    }

    /** Says that the call of this thread ends by itself, in so short a time that the conductor waits for it. */
    static void endsByItself() {
        CURRENT.get().bounded = true;
    }

    static String interrupt(int number) {
        Calls running = RUNNING.get(number);
        if (running == null) {
            return "not running";
        }
        running.thread.interrupt();
        return "ok";
    }

    /** Returns the numbers of those that end by themselves. */
    static String bounded() {
        return RUNNING.entrySet().stream()
                .filter(running -> running.getValue().bounded)
                .map(running -> running.getKey().toString())
                .collect(Collectors.joining(" "));
    }
}

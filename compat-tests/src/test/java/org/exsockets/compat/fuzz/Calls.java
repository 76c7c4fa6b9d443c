package org.exsockets.compat.fuzz;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The operations that this process is executing, by their numbers. Thread-safe. */
final class Calls {
    private static final Map<Integer, Calls> RUNNING = new ConcurrentHashMap<>();
    private static final ThreadLocal<Calls> CURRENT = new ThreadLocal<>();

    private static final AtomicLong BEGUN = new AtomicLong();

    /** Verbs that wait for each other on the same object. */
    private static final Set<String> IN_TURN = Set.of("read", "readone", "readn", "skip", "toend", "accept");

    private final Thread thread = Thread.currentThread();
    private final String object;
    private final boolean inTurn;
    private final long order = BEGUN.incrementAndGet();

    private volatile boolean bounded;

    /** It is bounded when it is its turn. Written by the thread of the call only. */
    private volatile boolean boundedInTurn;

    private Calls(String object, String verb) {
        this.object = object;
        this.inTurn = IN_TURN.contains(Operation.withoutAdaptor(verb));
    }

    /** Makes the call and tells its outcome; whether it leaves the thread interrupted belongs to that. */
    static String watched(int number, String object, String verb, Callable<String> call) {
        Calls running = new Calls(object, verb);
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

    /** As {@link #endsByItself}, for all calls on the object of this thread's. */
    static void allEndByThemselves() {
        String object = CURRENT.get().object;
        RUNNING.values().stream().filter(each -> each.object.equals(object)).forEach(each -> each.bounded = true);
    }

    /** As {@link #endsByItself}, for a call whose time begins when the calls before it on the same object are over. */
    static void endsByItselfInTurn() {
        CURRENT.get().boundedInTurn = true;
    }

    private boolean isBounded() {
        return bounded
                || boundedInTurn
                        && RUNNING.values().stream()
                                .noneMatch(each -> each.order < order
                                        && each.inTurn
                                        && each.object.equals(object)
                                        && !each.bounded
                                        && !each.boundedInTurn);
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
                .filter(running -> running.getValue().isBounded())
                .map(running -> running.getKey().toString())
                .collect(Collectors.joining(" "));
    }
}

package org.exsockets.compat.harness;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * How long tests wait, all in one place: each value is at least ten times what the slowest use takes on an idle machine. None
 * judges EXS. What takes longer is reported as a machine that is too slow or something that hangs, with the stacks of all JVMs
 * of the test: nobody can tell the two apart but by these.
 *
 * <p>The waits of a test are shorter than its own limit, so that they, which know more, report first. In a peer no patience
 * ends: the test that waits for it has the stacks of both.
 */
public final class Patience {
    /** One call, answer or event, or a condition that becomes true: about a second at most, three of a stopped process. */
    public static final long CALL_SECONDS = 120;

    /** What was closed is gone, in this process or a peer: less than a call, because a peer is asked for it by one. */
    public static final long REST_SECONDS = 60;

    /** A usual test, and each method that runs after tests. */
    public static final long TEST_SECONDS = 300;

    /** A JVM or another program that starts, works and ends, or its next line of output; and a peer's work on thousands. */
    public static final long PROGRAM_SECONDS = 600;

    /** A test that moves or makes very much, or runs programs: a minute, two of the longest. */
    public static final long LONG_TEST_SECONDS = 1_800;

    /**
     * A time-out of a call under test that is not to fire, in milliseconds: longer than any test, so that a test's limit
     * reports what hangs.
     */
    public static final int NEVER_MS = 3_600_000;

    /** A tool of the JDK that prints stacks: those of a process that stands still never come, and the report does without. */
    static final long TOOL_SECONDS = 60;

    private static final int FACTOR = Integer.getInteger("exs.test.patience", 1);

    /** Whether another process waits for this one. */
    private static volatile boolean endless;

    private Patience() {}

    /** Waits as {@code CountDownLatch::await} does, or a process, or a group of threads. */
    @FunctionalInterface
    public interface Wait {
        /** {@return whether it is over, and not the time} */
        boolean await(long timeout, TimeUnit unit) throws InterruptedException;
    }

    /**
     * How often something has to be seen, or how long, in its own unit, before it counts as lasting: stretched by the whole
     * number in {@code exs.test.patience} where the machine is emulated.
     */
    public static long lasting(long count) {
        return count * FACTOR;
    }

    /** Leaves it to the process that waits for this one to lose patience. */
    static void leaveToTheTest() {
        endless = true;
    }

    private static long limitNs(long seconds) {
        return endless ? Long.MAX_VALUE / 2 : TimeUnit.SECONDS.toNanos(seconds);
    }

    /** {@return when a call that begins now has taken too long, as of {@link System#nanoTime}} */
    public static long deadlineNs() {
        return System.nanoTime() + limitNs(CALL_SECONDS);
    }

    /** Waits for a call to be over. */
    public static void await(String what, Wait wait) throws InterruptedException {
        await(what, CALL_SECONDS, wait);
    }

    /**
     * Waits for something to be over.
     *
     * @param what for the report
     * @param seconds one of the values of this class
     */
    public static void await(String what, long seconds, Wait wait) throws InterruptedException {
        if (!wait.await(limitNs(seconds), TimeUnit.NANOSECONDS)) {
            throw expired(what, seconds);
        }
    }

    /** Waits until a condition is true. */
    public static void until(String what, BooleanSupplier condition) {
        long deadlineNs = deadlineNs();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw expired(what, CALL_SECONDS);
            }
            Thread.onSpinWait();
        }
    }

    /** Waits for the result of a call. */
    public static <T> T get(String what, Future<T> result) throws InterruptedException, ExecutionException {
        return get(what, CALL_SECONDS, result);
    }

    /**
     * Waits for a result.
     *
     * @param what for the report
     * @param seconds one of the values of this class
     */
    public static <T> T get(String what, long seconds, Future<T> result)
            throws InterruptedException, ExecutionException {
        try {
            return result.get(limitNs(seconds), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw expired(what, seconds);
        }
    }

    /**
     * Keeps the stacks of all JVMs of the test, once, and returns what to throw.
     *
     * @param what was waited for in vain
     * @param seconds one of the values of this class
     */
    public static AssertionError expired(String what, long seconds) {
        return new AssertionError(report(what, seconds));
    }

    static String report(String what, long seconds) {
        return "machine too slow or hung: " + what + ", limit=" + seconds + " s, stacks in " + Stacks.keep();
    }
}

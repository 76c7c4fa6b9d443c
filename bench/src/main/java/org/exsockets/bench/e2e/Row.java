package org.exsockets.bench.e2e;

import java.util.List;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * One line of the table.
 *
 * @param name unique among the rows
 * @param spec the values that open it in a child, {@code kind} included
 * @param seconds of a round
 * @param demands what EXS should reach
 */
record Row(String name, Measure measure, Fields spec, Condition condition, double seconds, List<Demand> demands) {
    /** Name of a value: seconds of warm-up, instead of the usual ones. */
    static final String WARM_UP = "warmUp";

    /** Name of a value: every round is the first one of JVMs that have just been started. */
    static final String FRESH = "fresh";

    private static final int CONNECT_WARM_UPS = 4;

    /** The compiler shares the cores with busy loops, or with threads that keep all of them busy. */
    private static final int BUSY_WARM_UPS = 6;

    /** The compiler has no core of its own. */
    private static final int ONE_CORE_WARM_UPS = 14;

    static Fields spec(Kind kind, int sizeBytes) {
        return new Fields("spec").with("kind", kind).with("size", sizeBytes);
    }

    /** {@return whether figures depend on where the cores are} */
    boolean depends() {
        return condition != Condition.ONE_CORE
                && (measure == Measure.LATENCY || measure == Measure.THROUGHPUT || measure == Measure.RATE);
    }

    /**
     * {@return how often the usual warm-up} Until its code has been compiled, a row measures the compiler, which is
     * slow where cores are short. A connect row runs through its code only once per connection.
     */
    int warmUps() {
        if (runsOnce() || measure == Measure.THROUGHPUT) {
            return 1;
        }
        boolean rate = measure == Measure.RATE;
        return switch (condition) {
            case ONE_CORE -> rate ? ONE_CORE_WARM_UPS : BUSY_WARM_UPS;
            case BUSY, ONE_BUSY -> BUSY_WARM_UPS;
            case IDLE_MACHINE -> is(Kind.THREADS) ? BUSY_WARM_UPS : is(Kind.CONNECT) ? CONNECT_WARM_UPS : 1;
        };
    }

    /** {@return seconds of warm-up before the rounds} */
    double warmUpSeconds(double usual) {
        return spec.has(WARM_UP) ? spec.number(WARM_UP) : warmUps() * usual;
    }

    boolean fresh() {
        return spec.has(FRESH);
    }

    private boolean is(Kind kind) {
        return spec.text("kind").equals(kind.name());
    }

    /** {@return whether a round is so long that it runs once} */
    boolean runsOnce() {
        return spec.has("count");
    }
}

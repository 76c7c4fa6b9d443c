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
    private static final int CONNECT_WARM_UPS = 4;

    /** The compiler has no core of its own. */
    private static final int ONE_CORE_CONNECT_WARM_UPS = 14;

    static Fields spec(Kind kind, int sizeBytes) {
        return new Fields("spec").with("kind", kind).with("size", sizeBytes);
    }

    /** {@return whether figures depend on where the cores are} */
    boolean depends() {
        return condition != Condition.ONE_CORE
                && (measure == Measure.LATENCY || measure == Measure.THROUGHPUT || measure == Measure.RATE);
    }

    /** {@return how often the usual warm-up: a connection runs once through code that others run through all the time} */
    int warmUps() {
        if (!spec.text("kind").equals(Kind.CONNECT.name()) || runsOnce()) {
            return 1;
        }
        return condition == Condition.ONE_CORE ? ONE_CORE_CONNECT_WARM_UPS : CONNECT_WARM_UPS;
    }

    /** {@return whether a round is so long that it runs once} */
    boolean runsOnce() {
        return spec.has("count");
    }
}

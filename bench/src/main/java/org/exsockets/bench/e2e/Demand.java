package org.exsockets.bench.e2e;

import java.util.Locale;

/**
 * One thing that EXS should reach in a row; the limit may depend on the placement of the cores.
 *
 * @param what the figure, with its unit
 * @param atLeast whether the limit is a least or a greatest value
 * @param near the limit with near cores, or NaN: nothing is asked
 * @param far the limit with far cores, or NaN
 * @param figure how the figure follows from a result
 */
record Demand(String what, boolean atLeast, double near, double far, Figure figure) {
    static Demand atLeast(String what, double limit, Figure figure) {
        return new Demand(what, true, limit, limit, figure);
    }

    static Demand atMost(String what, double limit, Figure figure) {
        return new Demand(what, false, limit, limit, figure);
    }

    /** {@return whether the result can be judged: there is a limit for its placement, and it has the figure} */
    boolean tells(Judge judge, RowResult part) {
        return !Double.isNaN(limit(part)) && !Double.isNaN(figure.of(judge, part));
    }

    boolean met(Judge judge, RowResult part) {
        double value = figure.of(judge, part);
        return atLeast ? value >= limit(part) : value <= limit(part);
    }

    /** {@return the demand in words, for the placement of the result's cores} */
    String text(RowResult part) {
        return what + (atLeast ? " >= " : " <= ") + number(limit(part));
    }

    private double limit(RowResult part) {
        switch (part.placement()) {
            case NEAR:
                return near;
            case FAR:
                return far;
            default:
                return near == far ? near : Double.NaN;
        }
    }

    static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }

    /** A figure of EXS, or its ratio to TCP or to another row. */
    interface Figure {
        /** {@return NaN if there is none} */
        double of(Judge judge, RowResult part);
    }
}

package org.exsockets.compat.fuzz;

import java.util.Set;

/** Verbs after which something may still be under way when the call returns. Stateless. */
final class Lasting {
    private static final Set<String> VERBS = Set.of(
            "connect",
            "close",
            "closein",
            "shutin",
            "shutout",
            "interrupt",
            "urgent",
            "cancel",
            "cancelread",
            "cancelwrite",
            "cancelaccept",
            "blocking");

    private Lasting() {}

    static boolean is(String verb) {
        return VERBS.contains(Operation.withoutAdaptor(verb));
    }
}

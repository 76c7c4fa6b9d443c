package org.exsockets.compat.fuzz;

import java.util.List;

/**
 * A difference between two runs of a program that does not count, with the reason. The table is complete: whatever it does
 * not name counts.
 *
 * @param reason why it does not count
 * @param source where that is said
 */
record Rule(String reason, String source, Allowance allowance) {
    /** Tells whether the rule speaks of these two outcomes of an operation. */
    @FunctionalInterface
    interface Allowance {
        boolean allows(Operation operation, String overTcp, String overExs);
    }

    static final List<Rule> ALL = List.of(
            new Rule(
                    "the kernel tunes buffers of connected sockets; what is not set is reported as of an unconnected one",
                    "docs/usage.md, differences: SO_RCVBUF, SO_SNDBUF",
                    (operation, overTcp, overExs) -> operation.verb().endsWith("get")
                            && operation.argument(0).matches("SO_(RCV|SND)BUF")
                            && overTcp.matches("\\d+")
                            && overExs.matches("\\d+")),
            new Rule(
                    "toString of some channels begins with the name of the class that implements them; that of listening"
                            + " ones says the address on some JDKs, and on others not",
                    "decision 30",
                    (operation, overTcp, overExs) -> operation.verb().equals("state")
                            && overTcp.contains(" sun.nio.ch.")
                            && withoutClass(overTcp).equals(withoutClass(overExs))),
            new Rule(
                    "how much of a write that fills everything has arrived depends on how much a transport holds",
                    "docs/usage.md, switches: buffer",
                    (operation, overTcp, overExs) ->
                            operation.verb().endsWith("available") && isMuch(overTcp) && isMuch(overExs)),
            new Rule(
                    "a write that the end of the connection cuts short says how much has gone, which depends on how much a"
                            + " transport holds",
                    "docs/usage.md, switches: buffer",
                    (operation, overTcp, overExs) -> isWriteOfMuch(operation)
                            && isPartOf(operation.argument(1), overTcp)
                            && isPartOf(operation.argument(1), overExs)));

    private static boolean isWriteOfMuch(Operation operation) {
        return operation.verb().endsWith("write") && operation.arguments().size() == 2 && isMuch(operation.argument(1));
    }

    private static boolean isPartOf(String size, String observed) {
        return isMuch(observed) && Integer.parseInt(observed) < Integer.parseInt(size);
    }

    private static String withoutClass(String observed) {
        return observed.replaceAll(" (sun|org|java)\\.\\S*ServerSocketChannel(Impl)?\\[.*]$", "")
                .replaceAll(" (sun|org|java)\\.\\S*Channel(Impl)?\\[", " [");
    }

    private static boolean isMuch(String observed) {
        return observed.matches("\\d{5,9}") && Integer.parseInt(observed) >= 64 * 1024;
    }

    /** Tells whether a rule allows the second outcome where the first one is expected. */
    static boolean anyAllows(Operation operation, String overTcp, String overExs) {
        return ALL.stream().anyMatch(rule -> rule.allowance().allows(operation, overTcp, overExs));
    }
}

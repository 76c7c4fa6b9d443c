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
        boolean allows(FuzzProgram program, Operation operation, String overTcp, String overExs);
    }

    static final List<Rule> ALL = List.of(
            new Rule(
                    "the kernel tunes buffers of connected sockets; what is not set is reported as of an unconnected one",
                    "docs/usage.md, differences: SO_RCVBUF, SO_SNDBUF",
                    (program, operation, overTcp, overExs) -> operation.verb().endsWith("get")
                            && operation.argument(0).matches("SO_(RCV|SND)BUF")
                            && overTcp.matches("\\d+")
                            && overExs.matches("\\d+")),
            new Rule(
                    "toString of some channels begins with the name of the class that implements them; that of listening"
                            + " ones says the address on some JDKs, and on others not",
                    "docs/usage.md, differences: toString()",
                    (program, operation, overTcp, overExs) -> operation.verb().equals("state")
                            && overTcp.contains(" sun.nio.ch.")
                            && withoutClass(overTcp).equals(withoutClass(overExs))),
            new Rule(
                    "how much of a write that fills everything has arrived depends on how much a transport holds",
                    "docs/usage.md, switches: buffer",
                    (program, operation, overTcp, overExs) ->
                            operation.verb().endsWith("available") && isMuch(overTcp) && isMuch(overExs)),
            new Rule(
                    "a write that the end of the connection cuts short says how much has gone, which depends on how much a"
                            + " transport holds",
                    "docs/usage.md, switches: buffer",
                    (program, operation, overTcp, overExs) -> isWriteOfMuch(operation)
                            && isPartOf(operation.argument(1), overTcp)
                            && isPartOf(operation.argument(1), overExs)),
            new Rule(
                    "where a write has filled the peer's buffers, the end that follows it may not have reached the peer"
                            + " when the peer's own write is answered by a reset: then TCP tells of the reset, otherwise"
                            + " of a broken pipe; which of the two depends on how much a transport holds",
                    "Linux, net/ipv4/tcp_input.c, tcp_reset: EPIPE in CLOSE_WAIT, otherwise ECONNRESET",
                    (program, operation, overTcp, overExs) -> isWrite(operation)
                            && program.operations().stream().anyMatch(Rule::isFlood)
                            && isResetOrPipe(overTcp)
                            && isResetOrPipe(overExs)
                            && withoutMessage(overTcp).equals(withoutMessage(overExs))),
            new Rule(
                    "the close of a channel wakes a virtual thread that waits for room: TCP may have some by then, though too"
                            + " little to tell of it, and the next write finds the channel closed before it",
                    "JDK, SocketChannel in virtual threads: it tries once more when it is woken",
                    (program, operation, overTcp, overExs) -> isFlood(operation)
                            && operation.verb().equals("put")
                            && isClosed(overTcp)
                            && isClosed(overExs)),
            new Rule(
                    "where a write has filled the peer's buffers, the end that follows it may not have reached the peer"
                            + " when a reset does: then TCP tells who reads of the reset, otherwise of the end; and of a"
                            + " blocked reader and a blocked writer, which may be one that was cancelled, the faster one"
                            + " is told of the reset, and the other that the connection has ended; how much can be read before a reset depends on how much"
                            + " had room",
                    "Linux, net/ipv4/tcp.c, tcp_recvmsg_locked: sock_error clears what it reports",
                    (program, operation, overTcp, overExs) -> isRead(operation)
                            && program.operations().stream().anyMatch(Rule::isFlood)
                            && isAnyEnd(operation, overTcp)
                            && isAnyEnd(operation, overExs)
                            && (isReadToReset(operation, overTcp)
                                    || withoutEnd(operation, overTcp).equals(withoutEnd(operation, overExs)))));

    private static final String RESET_OR_END = "((future )?!\\S+: Connection reset|-1|end)( \\[interrupted])?$";

    private static boolean isClosed(String observed) {
        return observed.matches("!java\\.nio\\.channels\\.(Closed|AsynchronousClose)(Channel)?Exception");
    }

    private static boolean isRead(Operation operation) {
        return Operation.withoutAdaptor(operation.verb()).matches("read|readone|readn|skip|toend|timedread|futureread");
    }

    /** These return how much there was before the end, and not what. */
    private static boolean countsOnly(Operation operation) {
        return operation.verb().matches("(socket:)?(readn|skip)");
    }

    private static boolean isAnyEnd(Operation operation, String observed) {
        return observed.matches(".*" + RESET_OR_END) || countsOnly(operation) && observed.matches("\\d.*");
    }

    private static boolean isReadToReset(Operation operation, String observed) {
        return operation.verb().equals("toend") && observed.endsWith(": Connection reset");
    }

    private static String withoutEnd(Operation operation, String observed) {
        return isReadToReset(operation, observed) || countsOnly(operation) ? "" : observed.replaceAll(RESET_OR_END, "");
    }

    private static boolean isWrite(Operation operation) {
        return operation.verb().matches("(socket:)?(write|writeone|urgent|put)");
    }

    private static boolean isResetOrPipe(String observed) {
        return observed.matches("!\\S+: (Connection reset by peer|Broken pipe)( \\[interrupted])?");
    }

    private static String withoutMessage(String observed) {
        return observed.substring(0, observed.indexOf(": "));
    }

    private static boolean isWriteOfMuch(Operation operation) {
        return operation.verb().endsWith("write") && operation.arguments().size() == 2 && isMuch(operation.argument(1));
    }

    /** Tells whether a write has taken less than it was given, so that nothing more has room. */
    static boolean isCutShort(Operation operation, String observed) {
        return isWriteOfMuch(operation)
                && observed.matches("\\d{1,9}")
                && Integer.parseInt(observed) < Integer.parseInt(operation.argument(1));
    }

    private static boolean isFlood(Operation operation) {
        return isWriteOfMuch(operation) || operation.verb().endsWith("put") && isMuch(operation.argument(0));
    }

    private static boolean isPartOf(String size, String observed) {
        return isMuch(observed) && Integer.parseInt(observed) < Integer.parseInt(size);
    }

    private static String withoutClass(String observed) {
        return observed.replaceAll(" (sun|org|java)\\.\\S*ServerSocketChannel(Impl)?\\[.*]$", "")
                .replaceAll(" (sun|org|java)\\.\\S*Channel(Impl)?\\[", " [");
    }

    private static boolean isMuch(String observed) {
        return observed.matches("\\d{5,9}") && Integer.parseInt(observed) >= Bulk.EXACT_BYTES;
    }

    /** Tells whether a rule allows the second outcome where the first one is expected. */
    static boolean anyAllows(FuzzProgram program, Operation operation, String overTcp, String overExs) {
        return ALL.stream().anyMatch(rule -> rule.allowance().allows(program, operation, overTcp, overExs));
    }
}

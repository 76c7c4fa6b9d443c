package org.exsockets.compat.fuzz;

/**
 * Whether the close of an end waits. Over TCP it then waits for the acknowledgement of the end of the stream, which the
 * kernel of the peer may delay by 40 ms and more; over EXS that is there at once. Both end by themselves, as do those who
 * wait on the same end: one of them may do the closing, for somebody who does not wait. Thread-safe.
 */
final class Lingering {
    private volatile boolean lingers;

    /** What finds the end closing waits for that, too. */
    private volatile boolean closing;

    /** Looks at an operation on the end that is about to begin on this thread. */
    void before(String verb, String[] arguments) {
        switch (Operation.withoutAdaptor(verb)) {
            case "linger" -> lingers = Integer.parseInt(arguments[0]) > 0;
            case "set" -> lingers = arguments[0].equals("SO_LINGER") ? Integer.parseInt(arguments[1]) > 0 : lingers;
            case "close", "closein" -> {
                if (lingers) {
                    closing = true;
                    Calls.allEndByThemselves();
                }
            }
            default -> {}
        }
        if (closing) {
            Calls.endsByItself();
        }
    }
}

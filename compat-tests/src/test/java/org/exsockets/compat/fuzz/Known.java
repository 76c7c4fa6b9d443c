package org.exsockets.compat.fuzz;

/** What the generator remembers of an object of the program that it makes: a guess, for operations may fail. */
final class Known {
    final String name;
    final String kind;
    final String process;

    /** The other end of its connection, or null. */
    Known peer;

    /** It has been connected, though perhaps to nobody whom the program knows. */
    boolean connected;

    boolean nonBlocking;

    /** It has been registered with a selector, so that it may stay in non-blocking mode. */
    boolean registered;

    boolean closed;

    /** How many bytes it may still send without anybody reading: less than any transport holds. */
    int budgetBytes = 32 * 1024;

    /** It has sent an urgent byte; see {@link Moves} for what must not follow. */
    boolean urgent;

    /** A write that fills every transport was begun. */
    boolean flooded;

    /** Large amounts have been moved, after which TCP may hold more than one large write. */
    boolean streamed;

    /** Its reads may end after a short time, whichever bytes come. */
    boolean timed;

    /** Its halves have been shut; see {@link Moves} for what follows if both are. */
    boolean inputShut;

    boolean outputShut;

    /** A selector that may be selecting until something wakes it. */
    boolean selecting;

    Known(String name, String kind, String process) {
        this.name = name;
        this.kind = kind;
        this.process = process;
    }

    boolean listener() {
        return kind.endsWith("l") && !selector();
    }

    boolean selector() {
        return kind.equals("sel");
    }

    boolean asynchronous() {
        return kind.startsWith("aio");
    }

    boolean selectable() {
        return kind.startsWith("nio");
    }
}

package org.exsockets.compat.soak;

/** Numbers of connections: of the process that connects, whether it is brief, and which one of that process. Stateless. */
final class Ids {
    private static final int PROCESS_SHIFT = 40;
    private static final long BRIEF = 1L << 39;

    private Ids() {}

    static long of(int process, boolean brief, long number) {
        return (long) process << PROCESS_SHIFT | (brief ? BRIEF : 0) | number;
    }

    static boolean isBrief(long id) {
        return (id & BRIEF) != 0;
    }

    /** {@return the number of the process that connects, counted from the first one on} */
    static int process(long id) {
        return (int) (id >>> PROCESS_SHIFT);
    }

    static String text(long id) {
        return id == Talk.UNKNOWN ? "?" : process(id) + "/" + (id & (BRIEF - 1));
    }
}

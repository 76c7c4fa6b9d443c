package org.exsockets.compat.fuzz;

/** An object of a program: a socket, a listener or a selector. */
interface End {
    /** Does what an operation says; a verb that its kind does not have is {@link #unknown}. */
    String call(String verb, String[] arguments) throws Exception;

    void close() throws Exception;

    /** Tells whether it stands for that channel. */
    default boolean stands(Object channel) {
        return false;
    }

    /** The verb is another kind's. */
    default String unknown() {
        return "not of this kind";
    }
}

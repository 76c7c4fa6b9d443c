package org.exsockets.observe;

/** What tells of itself whoever watches the program. */
public interface Described {
    /** Tells of itself. Any thread; waits for nobody. */
    void describe(Description into);
}

package org.exsockets.aio;

/** Whose threads those of a group are. */
enum PoolKind {
    /** Made for the group, with a fixed number of threads. */
    FIXED,

    /** That of the default group. */
    DEFAULT,

    /** The program's executor, which may take no more tasks at any time. */
    GIVEN
}

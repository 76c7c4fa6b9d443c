package org.exsockets.aio;

/** Where the threads of a group come from. */
enum PoolKind {
    /** Made for the group, with a fixed number of threads. */
    FIXED,

    /** That of the default group. */
    DEFAULT,

    /** The program's executor, which may take no more tasks at any time. */
    GIVEN
}

/**
 * Stress tests (jcstress) of what threads and processes share without locks: the arrival ring, the arming of the
 * doorbell, the windows to a program's memory, the end of a connection against its senders and readers, message
 * credits, the counters of a stream.
 *
 * <p>And of what threads of one process share with those: signs that are hidden, arenas that are freed, the lead of a
 * channel group, what the background thread is asked for.
 *
 * <p>Each test lists the allowed outcomes; every other one is forbidden and fails the build.
 */
package org.exsockets.bench.stress;

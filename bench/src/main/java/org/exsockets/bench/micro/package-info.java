/**
 * Micro-benchmarks (JMH) of what a message passes through: the arrival ring, the stream, a selection. Both ends are in one
 * process and one thread, so that they count the instructions of the path and no cache line that moves between cores;
 * what those cost is measured by {@code bench/compare}. May use {@code stream}, {@code verbs} and the public classes.
 */
package org.exsockets.bench.micro;

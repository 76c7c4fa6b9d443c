/**
 * Micro-benchmarks (JMH) of what a message passes through: the arrival ring, the stream, a selection. Both ends are in
 * one process and one thread. They therefore count the instructions of the path, but not the movement of cache lines
 * between cores, which {@code bench/compare} measures. May use {@code stream}, {@code verbs} and the public classes.
 */
package org.exsockets.bench.micro;

/**
 * What the contract suites stand on: peer processes driven by commands on their standard input, the byte pattern
 * that both ends know, calls on threads that can be watched, and what distinguishes the transports. Uses the JDK's
 * public interfaces and JUnit only; starts daemon threads, which end with the process or the call they serve.
 */
package org.exsockets.compat.harness;

/**
 * The demonstration: real programs from Maven Central, each side in its own JVM, over plain TCP and over EXS.
 *
 * <p>This package starts and stops the JVMs, compares their results, reads {@code exs.stats} and prints the tables. It
 * runs in the demonstration's own JVM and opens no sockets. What runs in the children is in {@code program}, which this
 * package knows only by class name and by {@link org.exsockets.bench.demo.program.StepResult}.
 */
package org.exsockets.bench.demo;

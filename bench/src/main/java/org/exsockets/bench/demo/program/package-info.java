/**
 * The two sides of each demonstrated program, written against the public APIs of Jetty, H2, Netty and the JDK only:
 * they know nothing of EXS, and the same classes run over TCP and over EXS.
 *
 * <p>A server prints a line that ends in its port and serves until the JVM is asked to end. A client takes its orders
 * from standard input and answers on standard output, see {@link org.exsockets.bench.demo.program.ClientOrders}.
 */
package org.exsockets.bench.demo.program;

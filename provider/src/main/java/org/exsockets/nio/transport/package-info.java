/**
 * What a channel stands on: a connection over EXS or a channel of the JDK, the connect that decides between them, and
 * the options for both. Knows the channel itself as a {@code SocketChannel} that is open or closed, blocking or not.
 *
 * <p>Any thread; the locks are documented at their declarations.
 */
package org.exsockets.nio.transport;

/**
 * The Extended Sockets API for Java: sockets whose operations are started by one call and told of by an event later, from
 * registered memory, so that bytes can move without a copy.
 *
 * <p>{@link org.exsockets.api.ExsSocket} and {@link org.exsockets.api.ExsServerSocket} start operations,
 * {@link org.exsockets.api.EventQueue} tells how they ended, {@link org.exsockets.api.ExsMemory} is what they read and
 * write. Any thread may use any of these objects.
 *
 * <p><b>Progress.</b> No thread works in the background: operations advance in the calls that start them and while a
 * thread waits in {@link org.exsockets.api.EventQueue#dequeue} of their queue, or has asked for
 * {@link org.exsockets.api.EventQueue#notifyOnce a notification}. A program that has operations under way dequeues.
 *
 * <p>The types here are all a program sees. They use nothing else of the project; what is behind them is found by
 * name and reached through {@link org.exsockets.api.ApiProvider}.
 */
package org.exsockets.api;

/**
 * The Extended Sockets API for Java: a call starts an operation, and an event tells later how it ended. Operations use
 * registered memory, so that bytes can move without a copy.
 *
 * <p>{@link org.exsockets.api.ExsSocket} and {@link org.exsockets.api.ExsServerSocket} start operations,
 * {@link org.exsockets.api.EventQueue} delivers their events, {@link org.exsockets.api.ExsMemory} is the memory that
 * they use. Any thread may use any of these objects.
 *
 * <p><b>Progress.</b> No thread works in the background: operations advance in the calls that start them, and while a
 * thread waits in {@link org.exsockets.api.EventQueue#dequeue} of their queue or has asked for
 * {@link org.exsockets.api.EventQueue#notifyOnce a notification}. A program with operations under way must dequeue.
 *
 * <p>A program sees only these types. They use nothing else of the project; their implementation is found by name and
 * reached through {@link org.exsockets.api.ApiProvider}.
 */
package org.exsockets.api;

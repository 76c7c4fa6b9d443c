/**
 * The implementation of the ES-API: sockets and listeners behind the types of {@code api}, on the queues and operations
 * of {@code es.queue}.
 *
 * <p>No thread of its own: the thread that starts an operation tries it, the dequeuing thread continues it.
 *
 * <p>Locks, in this order: a queue's {@code dequeueLock}, a socket's lock, a queue's monitor for its events. A thread
 * takes the first only while it holds none. Only the dequeuing thread waits for the network, under the first; under a
 * socket's lock a thread may wait for the peer to give memory back.
 */
package org.exsockets.es;

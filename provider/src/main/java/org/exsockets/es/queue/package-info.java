/**
 * Event queues of the ES-API, and what passes through them: operations, the memory that they hold, their events. A
 * queue polls its sources through {@link org.exsockets.es.queue.Pollable}, and knows no socket.
 *
 * <p>No thread of its own: the dequeuing thread works on the sources, under the queue's {@code dequeueLock}.
 */
package org.exsockets.es.queue;

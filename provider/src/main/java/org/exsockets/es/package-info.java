/**
 * The ES-API's own implementation: event queues, registered memory and sockets behind the types of {@code api}.
 *
 * <p>May use {@code api}, {@code packet}, {@code socket}, {@code progress}, {@code rendezvous},
 * {@code memory}, {@code verbs}, {@code install} and what everybody may. No thread of its own: whoever starts an operation tries it, whoever dequeues
 * moves on what is under way.
 *
 * <p>Locks, in this order: a queue's {@code dequeueLock}, a socket's lock, a queue's monitor for its events. The first is
 * only tried by who holds none; nothing waits for the network under any of them but a dequeuing thread under the first.
 */
package org.exsockets.es;

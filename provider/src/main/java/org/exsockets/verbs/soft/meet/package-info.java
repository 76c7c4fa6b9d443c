/**
 * How two processes come to have a connection: names of listeners, who may be a peer, the hello, and the two ends that
 * are made of it.
 *
 * <p>A connect belongs to one thread; a listener to one accepting thread and the background thread, which reads late
 * hellos.
 */
package org.exsockets.verbs.soft.meet;

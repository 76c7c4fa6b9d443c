/**
 * The device SPI, in the vocabulary of RDMA verbs: devices, queue pairs, completion queues, memory regions,
 * completions, and a connection manager.
 *
 * <p>A device knows no EXS and no JDK socket; what a connection exposes to its peer is plain memory, and what it sends
 * are plain messages. Devices are found through {@link java.util.ServiceLoader}, the software device by its name.
 *
 * <p>Threads: the sends and writes of {@link org.exsockets.verbs.QueuePair} may be called by several threads at once, as
 * {@code ibv_post_send} may; receives are posted and completions polled by one thread at a time.
 */
package org.exsockets.verbs;

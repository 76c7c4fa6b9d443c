/**
 * RDMA adapters through DiSNI (libibverbs, librdmacm): DiSNI makes protection domains, queues and memory regions;
 * natives of ours serve the connection manager and the data path on the same objects.
 *
 * <p>Knows nothing of EXS but the size of its connections. May use {@code verbs} and {@code memory}.
 */
package org.exsockets.verbs.disni;

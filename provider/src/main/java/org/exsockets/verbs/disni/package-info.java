/**
 * RDMA adapters through DiSNI (libibverbs, librdmacm): what the device stands on. DiSNI makes protection domains,
 * queues and memory regions; natives of ours serve the connection manager and the data path on the same objects. Here
 * are these natives, the library they are in, the way to DiSNI's objects, and the layouts that natives fill.
 *
 * <p>The device is built on that, from below: {@code memory}, {@code data}, {@code cm}, {@code provider}. It knows
 * nothing of EXS but the size of its connections. Any thread.
 */
package org.exsockets.verbs.disni;

/**
 * The software RDMA device: queue pairs over shared memory between processes of one user on one host.
 *
 * <p>May use {@code verbs}, {@code memory}, {@code config}, {@code jdk} and {@code observe}. Every connection has a segment, memory without a
 * name that the connecting side has made and passed to the other one, and a Unix-domain socket that serves as
 * completion channel (a byte is a completion event) and as detector of the peer's death (end of file).
 */
package org.exsockets.verbs.soft;

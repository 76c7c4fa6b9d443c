/**
 * The software RDMA device: queue pairs over shared memory between processes on one host. Every connection has a
 * segment, memory without a name that the connecting end has made and passed to the other one, and a Unix-domain socket
 * that serves as completion channel (a byte is a completion event) and as detector of a killed peer (end of file).
 *
 * <p>Here is what the rest of EXS sockets finds: the device and its provider. Its rooms are below.
 */
package org.exsockets.verbs.soft;

/**
 * Ordinary programs that {@code compat-tests/rxe/lanes} runs in two machines on one RDMA link: a web server and its
 * client, and the ends of connections that are struck by faults or lack memory. They use the JDK's public interfaces
 * only and know nothing of EXS; what carried their bytes is told by the statistics of the agent that is put in front of
 * them. A program that is not content ends with status 1.
 */
package org.exsockets.compat.machines;

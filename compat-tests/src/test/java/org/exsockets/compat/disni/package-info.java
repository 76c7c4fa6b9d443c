/**
 * The contracts over EXS on an RDMA adapter: the JVM of the tests and every peer process run with the agent, and their
 * connections go to an address that the adapter serves. One small class for each contract; what does not apply to an
 * adapter stands in {@link org.exsockets.compat.disni.Exclusions}. The ordinary build does not run them:
 * {@code compat-tests/rxe/lanes} does, in a machine with soft-RoCE.
 */
package org.exsockets.compat.disni;

/**
 * The contracts over EXS on the software device: the JVM of the tests and every peer process run with the agent.
 * One small class for each contract, and the proof that the bytes did not go over TCP.
 */
package org.exsockets.compat.soft;

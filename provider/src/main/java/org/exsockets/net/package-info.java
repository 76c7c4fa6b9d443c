/**
 * The {@code java.net} face: {@code Socket} and {@code ServerSocket}.
 *
 * <p>The TCP side is a plain socket of the JDK: over the platform's implementation if the agent has provided one,
 * otherwise over a channel of the JDK.
 */
package org.exsockets.net;

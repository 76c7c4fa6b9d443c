/**
 * The {@code java.net} face: {@code Socket} and {@code ServerSocket}. Thin over {@code socket}; does not use the other
 * faces.
 *
 * <p>The TCP side is a plain socket of the JDK's own: over the platform's implementation where the agent has handed one
 * over, over a channel of the JDK otherwise.
 */
package org.exsockets.net;

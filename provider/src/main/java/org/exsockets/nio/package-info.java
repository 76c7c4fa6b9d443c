/**
 * The {@code java.nio.channels} face: the provider, the channels, their adaptors. A channel does what the JDK's do
 * around a call (state, locks, interrupts, options); a connection moves the bytes. Does not use the other faces. Locks
 * of a channel are documented at their declarations; the JDK's order (key set, then a channel's own) is kept.
 *
 * <p>{@code nio.transport} decides what a channel stands on, {@code nio.select} selects; neither knows the channels.
 */
package org.exsockets.nio;

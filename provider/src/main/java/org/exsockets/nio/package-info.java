/**
 * The {@code java.nio.channels} face: the provider, the channels, their adaptors. A thin layer over {@code socket}; does
 * not use the other faces. Locks of a channel are documented at their declarations; the JDK's order (key set, then a
 * channel's own) is kept.
 *
 * <p>{@code nio.transport} decides what a channel stands on, {@code nio.select} selects; neither knows the channels. May
 * also use {@code socket}, {@code rendezvous} and {@code verbs}.
 */
package org.exsockets.nio;

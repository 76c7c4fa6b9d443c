/**
 * The {@code java.nio.channels} face: provider, channels, selector. A thin layer over {@code socket}; does not use the
 * other faces. Locks of a channel are documented at their declarations; the JDK's order (key set, then a channel's own)
 * is kept.
 */
package org.exsockets.nio;

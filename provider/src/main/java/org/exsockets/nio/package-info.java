/**
 * The {@code java.nio.channels} face: provider, channels, selector. Thin over {@code socket}; does not use the other
 * faces. Locks of a channel: as documented on each; the JDK's order (key set, then a channel's own) is kept.
 */
package org.exsockets.nio;

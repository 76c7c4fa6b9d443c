/** Peers that write at random over all that they share with a server: it breaks their own connections, and nothing else. */
package org.exsockets.compat.scribble;

/**
 * What the software device wants of Linux that Java does not offer: memory without a name that processes share, sockets
 * of the Unix domain, and how much memory is left. Knows nothing of connections.
 *
 * <p>Callers answer for addresses and descriptors; all else may be used by any thread.
 */
package org.exsockets.verbs.soft.host;

/** The ES-API in this JVM, under the agent, and peers that use it, or ordinary sockets, in another one. */
package org.exsockets.compat.esapi;

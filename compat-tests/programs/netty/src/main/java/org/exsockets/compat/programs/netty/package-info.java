/** Netty: its HTTP/1.1 and its HTTP/2 codecs, at both sides, in the clear and with its TLS handler. */
package org.exsockets.compat.programs.netty;

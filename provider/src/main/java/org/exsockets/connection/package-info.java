/**
 * The connection behind every face: reading, writing, TCP's semantics of close, reset and end of stream. Its state is
 * in {@code socket.life}, direct transfers are in {@code socket.direct}. May use every lower layer, no device by name.
 */
package org.exsockets.connection;

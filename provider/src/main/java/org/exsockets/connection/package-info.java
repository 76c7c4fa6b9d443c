/**
 * The connection behind every face: reading, writing, TCP's semantics of close, reset and end of stream. Its state is
 * in {@code connection.life}, direct transfers are in {@code connection.direct}.
 */
package org.exsockets.connection;

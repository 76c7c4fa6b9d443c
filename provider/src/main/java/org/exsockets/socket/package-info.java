/**
 * The connection behind every face: one state machine, one blocking skeleton, TCP's semantics of close, reset and end
 * of stream. May use every lower layer, no device by name.
 */
package org.exsockets.socket;

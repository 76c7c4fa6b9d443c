/**
 * The protocol of EXS packets (SEQPACKET): direct transfers only, boundaries kept, and writes to exported memory. As
 * pure as {@code stream}: no threads, no locks, no clocks. May use {@code wire}, {@code verbs}, {@code memory}, and
 * {@code stream.link}.
 */
package org.exsockets.packet;

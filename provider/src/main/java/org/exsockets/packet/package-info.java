/**
 * The protocol of EXS packets (SEQPACKET): direct transfers only, boundaries kept, and writes to exported memory. As
 * pure as {@code stream}: no threads, no locks, no clocks.
 */
package org.exsockets.packet;

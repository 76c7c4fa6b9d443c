package org.exsockets.verbs;

/**
 * Memory of the peer that this end may write to, beside what the connection has from the start.
 *
 * @param address of its first byte, for {@link WorkRequest#remoteAddress}
 * @param key for {@link WorkRequest#rkey}
 * @param lengthBytes a power of two
 */
public record RemoteRegion(long address, int key, int lengthBytes) {}

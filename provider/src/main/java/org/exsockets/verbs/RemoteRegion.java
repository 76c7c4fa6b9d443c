package org.exsockets.verbs;

/**
 * Memory of the peer that this end may write to.
 *
 * @param address of its first byte, for writes
 * @param key for writes
 * @param lengthBytes a power of two
 */
public record RemoteRegion(long address, int key, int lengthBytes) {}

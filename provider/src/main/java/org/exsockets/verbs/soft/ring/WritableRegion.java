package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;

/**
 * Memory of the peer that this end may write to.
 *
 * @param offset of the region's first byte in {@code memory}
 */
record WritableRegion(int key, ByteBuffer memory, int offset, int lengthBytes) {}

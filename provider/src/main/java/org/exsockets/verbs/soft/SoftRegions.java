package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.exsockets.memory.SharedMapping;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ExposedRegion;

/**
 * The regions that one end of a connection exposes beyond the segment, and its way to those of the peer.
 *
 * <p>A region is a file of the private directory of exactly the region's length, allocated whole. Its name stands in the
 * segment ({@link SegmentDescriptor#NAME_OFFSET}) from before the peer is told until it has mapped the file; the peer
 * then removes the name, so that the memory is gone with the last mapping, whoever dies. The upper layer exposes one
 * region at a time and not before the peer has taken the last one.
 *
 * <p>Exposing, releasing and reaching are for one thread at a time each; {@link #releaseAll} is for the last user.
 */
class SoftRegions {
    /** Keys of an end's regions: this far apart, from that of its region in the segment on. */
    private static final int KEY_STEP = 2;

    private final SoftDirectory directory;
    private final Segment segment;
    private final boolean isA;
    private final ComingBytes coming;

    /** Guarded by the monitor, as the fields below. */
    private Set<FileRegion> exposed = Set.of();

    private int ownKey;
    private int peerKey;

    SoftRegions(SoftDirectory directory, Segment segment, boolean isA) {
        this.directory = directory;
        this.segment = segment;
        this.isA = isA;
        this.coming = new ComingBytes(segment, isA);
        this.ownKey = SoftEndpoint.regionKey(isA);
        this.peerKey = SoftEndpoint.regionKey(!isA);
    }

    /** {@return how far writes into the regions of either end have come, that of the segment included} */
    ComingBytes coming() {
        return coming;
    }

    /** {@return whether so many bytes may be allocated} */
    boolean hasRoomFor(int lengthBytes) {
        return directory.hasRoomFor(lengthBytes);
    }

    private final class FileRegion implements ExposedRegion {
        private final String name;
        private final SharedMapping mapping;
        private final int key;
        private final ComingBytes.Further whileItComes;

        private FileRegion(String name, SharedMapping mapping, int key) {
            this.name = name;
            this.mapping = mapping;
            this.key = key;
            this.whileItComes = coming.follow(mapping.memory());
        }

        @Override
        public ByteBuffer memory() {
            return mapping.memory();
        }

        @Override
        public long address() {
            return 0;
        }

        @Override
        public int key() {
            return key;
        }

        @Override
        public void release() {
            synchronized (SoftRegions.this) {
                if (!exposed.remove(this)) {
                    return;
                }
            }
            giveBack();
        }

        private void giveBack() {
            directory.deleteRegion(name);
            whileItComes.takeAway();
            mapping.unmap();
        }
    }

    /** {@return a region with all its pages; null if there is no memory for it} */
    ExposedRegion expose(int lengthBytes) {
        if (!hasRoomFor(lengthBytes)) {
            Log.debug("no further region: shared memory is scarce: length=" + lengthBytes);
            return null;
        }
        String name = directory.newRegionName();
        try {
            SharedMapping mapping = SharedMapping.create(directory.segment(name), lengthBytes);
            FileRegion region;
            synchronized (this) {
                ownKey += KEY_STEP;
                region = new FileRegion(name, mapping, ownKey);
                if (exposed.isEmpty()) {
                    exposed = new HashSet<>();
                }
                exposed.add(region);
            }
            segment.regionName(isA, name);
            return region;
        } catch (IOException e) {
            directory.deleteRegion(name);
            Log.debug("no further region: length=" + lengthBytes + ", " + e.getMessage());
            return null;
        }
    }

    /** {@return the region the peer has just exposed; null if it cannot be mapped} */
    WritableRegion reach(long address, int key, int lengthBytes) {
        synchronized (this) {
            if (address != 0 || key != peerKey + KEY_STEP) {
                Log.debug("region of the peer: bad address or key: address=" + address + ", key=" + key);
                return null;
            }
            peerKey = key;
        }
        String name = segment.regionName(!isA);
        try {
            SharedMapping mapping = SharedMapping.open(directory.segment(name), lengthBytes);
            directory.deleteSegment(name);
            return new WritableRegion(key, mapping.memory(), 0, lengthBytes, mapping);
        } catch (IOException e) {
            Log.debug("region of the peer cannot be mapped: name=" + name + ", " + e.getMessage());
            return null;
        }
    }

    /** Frees what this end has exposed; no thread uses it any more. */
    void releaseAll() {
        Set<FileRegion> left;
        synchronized (this) {
            if (exposed.isEmpty()) {
                return;
            }
            left = Set.copyOf(exposed);
            exposed.clear();
        }
        left.forEach(FileRegion::giveBack);
    }
}

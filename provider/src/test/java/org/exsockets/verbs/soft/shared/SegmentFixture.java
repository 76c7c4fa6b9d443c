package org.exsockets.verbs.soft.shared;

import java.io.IOException;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/** Segments without a connection. */
public final class SegmentFixture {
    private SegmentFixture() {}

    /** {@return a segment as a client makes one} */
    public static Segment newSegment(int slots, int regionBytes, int reserveBytes) throws IOException {
        DescriptorPoll.require();
        int length = SegmentDescriptor.length(slots, regionBytes, reserveBytes);
        SharedBudget budget = new SharedBudget(new MachineMemory(), DeviceOptions.AUTO);
        Segment segment = new Segment(1, budget, SharedMemory.create(length), slots, regionBytes, reserveBytes);
        segment.format();
        return segment;
    }
}

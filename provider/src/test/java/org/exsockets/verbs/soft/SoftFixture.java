package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;

/** The software device, opened for each test. */
abstract class SoftFixture extends DeviceFixture {
    @Override
    protected final Device open() throws IOException {
        return new SoftDevice();
    }

    final OwnEnds ends() {
        return ((SoftDevice) device()).ends();
    }

    /** {@return a segment as a client makes one} */
    static Segment newSegment(int slots, int regionBytes, int reserveBytes) throws IOException {
        DescriptorPoll.require();
        int length = SegmentDescriptor.length(slots, regionBytes, reserveBytes);
        Segment segment =
                new Segment(1, SoftDevice.usualBudget(), SharedMemory.create(length), slots, regionBytes, reserveBytes);
        segment.format();
        return segment;
    }
}

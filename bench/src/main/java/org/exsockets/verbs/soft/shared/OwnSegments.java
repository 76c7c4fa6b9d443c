package org.exsockets.verbs.soft.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;

/** Segments between this process and itself. For stress tests. */
public final class OwnSegments {
    private static final int SLOTS = 4;
    private static final int REGION_BYTES = 4096;

    private OwnSegments() {}

    /** {@return a segment at whose other end is {@code process}, which is of this JVM} */
    public static Segment open(OwnProcess process) throws IOException {
        DescriptorPoll.require();
        SharedMemory memory = SharedMemory.create(SegmentDescriptor.length(SLOTS, REGION_BYTES));
        memory.closeDescriptor();
        SharedBudget budget = new SharedBudget(new MachineMemory(), DeviceOptions.AUTO);
        Segment segment = new Segment(1, budget, memory, SLOTS, REGION_BYTES, 0);
        segment.format();
        segment.reset(1);
        segment.setPeer(PeerProcess.open((int) ProcessHandle.current().pid(), process.descriptor()));
        return segment;
    }

    /** {@return a doorbell that nobody hears, and that tells of no end: many connections share it} */
    public static Doorbell mute() {
        try {
            DescriptorPoll.require();
            LocalSocket socket = LocalSocket.open();
            socket.close();
            return new Doorbell(socket) {
                @Override
                public int drain() {
                    return 0;
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return how many users a mapping has} */
    public static int users(PeerMappings<?, ?> all, PeerMappings.Mapping<?> mapping) {
        synchronized (all) {
            return mapping.users;
        }
    }
}

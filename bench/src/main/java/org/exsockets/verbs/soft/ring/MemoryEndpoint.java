package org.exsockets.verbs.soft.ring;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.memory.Words;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.soft.arena.Windows;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnSegments;

/**
 * An end of a connection of the software device in memory of this process, without file and socket: cheap enough to be
 * made a million times. Stress tests get at the device's own queue pairs through it, hence its package.
 *
 * <p>Pairs take turns in {@link #PAIRS} places, so no more of them may be in use at the same time. The doorbell is
 * mute: {@link #armed} turns false where it would be rung.
 */
public final class MemoryEndpoint implements Endpoint, MoreRoom.Exposing {
    /** Receives of each end. */
    public static final int DEPTH = 4;

    /** Bytes each end exposes. */
    public static final int EXPOSED_BYTES = 4096;

    private static final int FURTHER_KEY = 99;
    private static final int SERVER_PORT = 7801;
    private static final int PAIRS = 1024;
    private static final int SEGMENT_LENGTH = SegmentDescriptor.length(DEPTH, EXPOSED_BYTES);
    private static final ByteBuffer PLACES = ByteBuffer.allocateDirect(PAIRS * SEGMENT_LENGTH);
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Doorbell MUTE = OwnSegments.mute();

    private final ByteBuffer segment;
    private final boolean isA;
    private final SoftQueuePair queuePair;
    private final Windows windows;
    private final ClientPort clientPort;
    private MemoryEndpoint peer;

    private MemoryEndpoint(ByteBuffer segment, boolean isA) {
        this.segment = segment;
        this.isA = isA;
        this.queuePair = new SoftQueuePair(Words.of(segment), isA, DEPTH, EXPOSED_BYTES, MUTE, null, null);
        this.windows = new Windows(Words.of(segment), isA);
        this.clientPort = new ClientPort(Words.of(segment), isA, InetAddress.getLoopbackAddress(), SERVER_PORT);
    }

    /** {@return two connected ends} */
    public static MemoryEndpoint[] pair() {
        int place = Math.floorMod(NEXT.getAndIncrement(), PAIRS);
        ByteBuffer segment =
                PLACES.slice(place * SEGMENT_LENGTH, SEGMENT_LENGTH).order(ByteOrder.nativeOrder());
        for (int offset = 0; offset < SegmentDescriptor.regionOffset(true, DEPTH, EXPOSED_BYTES); offset += 8) {
            Words.of(segment).longPlain(offset, 0);
        }
        Words.of(segment).intPlain(SegmentDescriptor.USE_OFFSET, 1);
        Words.of(segment).longPlain(SegmentDescriptor.CONTROL_A_OFFSET + SegmentDescriptor.POSTED_OFFSET, DEPTH);
        Words.of(segment).longPlain(SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.POSTED_OFFSET, DEPTH);
        MemoryEndpoint a = new MemoryEndpoint(segment, true);
        MemoryEndpoint b = new MemoryEndpoint(segment, false);
        a.peer = b;
        b.peer = a;
        return new MemoryEndpoint[] {a, b};
    }

    /** {@return whether this end waits for an event that has not been given yet} */
    public boolean armed() {
        return isSet(SegmentDescriptor.ARMED_OFFSET);
    }

    /** {@return whether a thread of this end may sleep on its wake word, and has not been woken yet} */
    public boolean asleep() {
        return isSet(SegmentDescriptor.ASLEEP_OFFSET);
    }

    private boolean isSet(int word) {
        int control = isA ? SegmentDescriptor.CONTROL_A_OFFSET : SegmentDescriptor.CONTROL_B_OFFSET;
        return Words.of(segment).intAcquire(control + word) != 0;
    }

    @Override
    public String device() {
        return SoftEndpoint.DEVICE;
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public ByteBuffer exposed() {
        return segment.slice(SegmentDescriptor.regionOffset(isA, DEPTH, EXPOSED_BYTES), EXPOSED_BYTES)
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public RemoteRegion remote() {
        return new RemoteRegion(0, SegmentDescriptor.regionKey(!isA), EXPOSED_BYTES);
    }

    @Override
    public MoreRoom moreRoom() {
        return this;
    }

    @Override
    public int maxBytes() {
        return 2 * EXPOSED_BYTES;
    }

    /** Before the writer at the other end may be at work. */
    @Override
    public ExposedRegion expose(int fewestBytes, int lengthBytes) {
        ByteBuffer memory = ByteBuffer.allocate(lengthBytes).order(ByteOrder.nativeOrder());
        peer.queuePair.reach(new Reserves.WritableRegion(FURTHER_KEY, memory, 0, lengthBytes));
        return new ExposedRegion() {
            @Override
            public ByteBuffer memory() {
                return memory;
            }

            @Override
            public long address() {
                return 0;
            }

            @Override
            public int key() {
                return FURTHER_KEY;
            }

            @Override
            public void release() {}
        };
    }

    /** {@return this end's windows, and its way into those of the peer} */
    public MemoryWindows windows() {
        return windows;
    }

    @Override
    public DirectAccess direct() {
        return null;
    }

    @Override
    public int receiveDepth() {
        return DEPTH;
    }

    @Override
    public int version() {
        return 1;
    }

    /** That of the connecting end; the other end is on no network. */
    @Override
    public InetSocketAddress localAddress() {
        return clientPort.address();
    }

    /** As {@link #localAddress}. */
    @Override
    public InetSocketAddress remoteAddress() {
        return clientPort.address();
    }

    /** From now on the place is for another pair; only the addresses can still be asked. */
    @Override
    public void release() {
        clientPort.end();
    }
}

package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Properties;
import org.exsockets.config.SettingsReader;
import org.exsockets.observe.Log;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.waiting.ProgressThread;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What clients have that are not {@link org.exsockets.verbs.soft.SoftDevice}'s: a segment and a process, and hellos that tell of them. Their refusals are not logged. */
abstract class RawClientFixture extends SoftFixture {
    static final long SEGMENT = 0x7e577e57;
    static final long PROOF = 0x0123456789abcdefL;
    static final int NONE = -1;

    /** As the client has made it; passed with hellos. */
    SharedMemory segment;

    /** Of the client. */
    OwnProcess process;

    @BeforeAll
    static void keepRefusalsOutOfTheLog() {
        Log.configure(SettingsReader.read(Map.of("log", "error"), new Properties(), Map.of()));
    }

    @AfterAll
    static void restoreLog() {
        Log.configure(SettingsReader.defaults());
    }

    @BeforeEach
    void makeClient() throws IOException {
        listener().attend(ProgressThread.background(), () -> {});
        process = new OwnProcess(false);
        createSegment(SegmentDescriptor.length(DEPTH, EXPOSED_BYTES));
    }

    @AfterEach
    void unmapSegment() {
        segment.unmap();
    }

    final void createSegment(int length) throws IOException {
        if (segment != null) {
            segment.unmap();
        }
        segment = SharedMemory.create(length);
        ByteBuffer head = ByteBuffer.allocate(SegmentDescriptor.ARRIVALS_OFFSET).order(ByteOrder.nativeOrder());
        head.putLong(0, SegmentDescriptor.MAGIC)
                .putInt(8, SegmentDescriptor.LAYOUT)
                .putInt(12, SegmentDescriptor.length(DEPTH, EXPOSED_BYTES))
                .putInt(16, DEPTH)
                .putInt(20, EXPOSED_BYTES)
                .putLong(24, PROOF)
                .putInt(32, 1)
                .putLong(128 + 128, DEPTH)
                .putLong(512 + 128, DEPTH);
        segment.memory().put(0, head, 0, Math.min(length, head.capacity()));
    }

    /** For the next connection, as clients do with segments that have been released. */
    final void claim() {
        segment.memory().putInt(SegmentDescriptor.CONTROL_B_OFFSET + SegmentDescriptor.ACCEPTOR_OFFSET, 0);
    }

    final ByteBuffer hello() throws IOException {
        return hello(address());
    }

    final ByteBuffer hello(InetSocketAddress to) throws IOException {
        return ByteBuffer.wrap(HelloDescriptor.encode(new HelloDescriptor.Hello(
                1, 1, DEPTH, EXPOSED_BYTES, 0, 2, client(1), to, SEGMENT, PROOF, process.token())));
    }
}

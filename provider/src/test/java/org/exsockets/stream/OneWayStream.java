package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.stream.link.StreamListener;

/** A writer and a reader over a scripted device, with hidden buffers of 16 bytes; byte n of the stream is n. */
abstract class OneWayStream {
    final FakeEndpoint[] ends = FakeEndpoint.pair(16, 16, 8);
    final List<String> toldWriter = new ArrayList<>();
    final List<String> toldReader = new ArrayList<>();
    StreamEngine writer;
    StreamEngine reader;
    int sent;
    int received;

    final PacedRules rules = new PacedRules();

    /** Makes the engines, of ends that are set up. */
    final void startEngines() {
        writer = new StreamEngine(ends[0], listener(toldWriter), true, rules);
        reader = new StreamEngine(ends[1], listener(toldReader), true, rules);
    }

    private static StreamListener listener(List<String> told) {
        return new StreamListener() {
            @Override
            public void onGrown(int lengthBytes) {
                told.add("grown " + lengthBytes);
            }

            @Override
            public void onGrowthRefused(int lengthBytes) {
                told.add("refused " + lengthBytes);
            }
        };
    }

    final int send(int length) {
        ByteBuffer source = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            source.put(i, (byte) (sent + i));
        }
        int taken = writer.outgoing.trySend(source);
        sent += taken;
        return taken;
    }

    final void receive(int length) {
        ByteBuffer target = ByteBuffer.allocate(length);
        int n = reader.incoming.tryReceive(target);
        for (int i = 0; i < n; i++) {
            assertEquals((byte) (received + i), target.get(i), "byte " + (received + i));
        }
        received += n;
        ends[1].read(n);
    }

    final void move() {
        ends[0].deliver(Integer.MAX_VALUE);
        reader.progress();
        ends[1].deliver(Integer.MAX_VALUE);
        writer.progress();
    }

    final void assertEverythingArrives() {
        for (int i = 0; i < 1_000 && received < sent; i++) {
            move();
            receive(7);
        }
        move();
        assertEquals(sent, received);
        assertNull(writer.failure());
        assertNull(reader.failure());
    }
}

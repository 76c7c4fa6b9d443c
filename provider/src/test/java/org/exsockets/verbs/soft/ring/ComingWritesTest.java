package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.junit.jupiter.api.Test;

/** Long writes, of which the writer tells before it has announced them. */
class ComingWritesTest extends SoftFixture {
    private static final int REGION_BYTES = 128 << 10;
    private static final int LONG = 16 << 10;

    /** The shortest that is told of is one byte longer. */
    private static final int SHORT = (8 << 10) - 1;

    /** Of how much depends on how the writer copies, which it chooses by what it measures: see RegionWriterTest. */
    @Test
    void onlyALongWriteTellsOfItsParts() throws IOException {
        Endpoint from = connectOnly(new EndpointParameters(REGION_BYTES, DEPTH, 1, 1));
        post(from, withImmediate(from, bytes(SHORT, 1), 0, 7));
        assertEquals(0, coming(from));
        post(from, withImmediate(from, bytes(LONG, 2), 5, 7));
        long told = coming(from);
        assertFalse(SegmentDescriptor.comesInReserve(told));
        assertEquals(
                SegmentDescriptor.regionOffset(false, DEPTH, REGION_BYTES) + 5, SegmentDescriptor.comingFrom(told));
        int bytes = SegmentDescriptor.comingBytes(told);
        assertTrue(bytes > 0 && bytes < LONG, "told of " + bytes);
    }

    @Test
    void whoWaitsFetchesWhatIsNotAnnouncedAndOneCompletionTellsOfAll() throws IOException {
        Endpoint from = connectOnly(new EndpointParameters(REGION_BYTES, DEPTH, 1, 1));
        Endpoint to = accept(listener());
        postReceive(to, 1);
        byte[] payload = bytes(LONG, 3);
        post(from, write(from, payload, 0));
        to.queuePair().completionQueue().anticipate();
        assertNothing(to);
        post(from, withImmediate(from, payload, LONG, 9));
        WorkCompletion completion = poll(to);
        assertEquals(9, completion.immediate);
        assertEquals(LONG, completion.byteLength);
        assertEquals(ByteBuffer.wrap(payload), ByteBuffer.wrap(exposed(to, LONG, LONG)));
        assertNothing(to);
    }

    private static long coming(Endpoint from) {
        ByteBuffer memory = ((SoftEndpoint) from).segment().mapping().memory();
        return Words.of(memory).longAcquire(SegmentDescriptor.comingOffset(true));
    }
}

package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceContractTest;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rdma")
class DisniDeviceContractTest extends DeviceContractTest {
    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    @Override
    protected int maxSendBytes() {
        return ConnectionMemory.MESSAGE_BYTES;
    }

    /** It takes the receive of the farewell, and is found by the end that has received it. */
    @Test
    @Override
    protected void aMessageWithoutAReceiveBreaksTheConnection() throws Exception {
        Pair pair = connect();
        for (int i = 0; i <= DEPTH; i++) {
            post(pair.a(), new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
        }
        for (int i = 0; i < DEPTH; i++) {
            postReceive(pair.b(), i);
        }
        for (int i = 0; i < DEPTH; i++) {
            assertReceive(i, pair.b(), poll(pair.b()));
        }
        WorkCompletion failure = poll(pair.b());
        assertEquals(Status.FATAL_ERR, failure.status);
        assertTrue(failure.detail.contains("without a credit"), failure.detail);
        assertTrue(pair.b().queuePair().inError());
    }
}

package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.FaultContractTest;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rdma")
class DisniFaultContractTest extends FaultContractTest {
    private static final Pattern HELD = Pattern.compile("\\b(?:cq|qp|cm_id|mr) (\\d+)");

    private static final int LIMIT_MS = 1_000;

    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    @Override
    protected long resources() throws IOException {
        Process rdma = null;
        try {
            rdma = new ProcessBuilder("rdma", "resource", "show")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "the command rdma is not there: " + e.getMessage());
        }
        String shown = new String(rdma.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher each = HELD.matcher(shown);
        long held = 0;
        while (each.find()) {
            held += Long.parseLong(each.group(1));
        }
        return held;
    }

    /** The listener's queues and slots are its own choice, up to what the client asks for. */
    @ParameterizedTest
    @ValueSource(ints = {EndpointParameters.MIN_RECEIVE_DEPTH, DEPTH, EndpointParameters.MAX_RECEIVE_DEPTH})
    void theSmallerDepthOfBothEndsIsInForce(int asked) throws IOException {
        Endpoint a = connectOnly(new EndpointParameters(EXPOSED_BYTES, asked, 1, 1));
        Endpoint b = accept(listener());
        int depth = Math.min(asked, DEPTH);
        assertEquals(depth, a.receiveDepth());
        assertEquals(depth, b.receiveDepth());
        for (int round = 0; round < 5; round++) {
            for (int i = 1; i <= depth; i++) {
                assertSendArrives(a, b, i);
                assertSendArrives(b, a, i);
            }
        }
    }

    /** Of one process, here, as of another one of its host: queue pairs of both are the same to the adapter. */
    @Test
    void whoKnowsTheMemoryOfAClosedConnectionCannotReachTheNextOnes() throws IOException {
        long before = resources();
        Pair closed = connect();
        RemoteRegion known = closed.a().remote();
        closed.a().discard();
        hangup(closed.b());
        closed.b().discard();
        waitFor(() -> resources() <= before ? true : null);
        Pair next = connect();
        Pair stranger = connect();
        byte[] content = exposed(next.b(), 0, EXPOSED_BYTES);
        post(
                stranger.a(),
                new WorkRequest().write(ByteBuffer.wrap(bytes(100, 1)), 0, 100, known.address(), known.key()));
        assertEquals(Status.REM_ACCESS_ERR, poll(stranger.a()).status);
        assertArrayEquals(content, exposed(next.b(), 0, EXPOSED_BYTES));
        assertSendArrives(next.a(), next.b(), 1);
    }

    @Test
    void aHostThatDoesNotAnswerIsGivenUp() throws IOException {
        byte[] address = host().getAddress();
        address[address.length - 1] = 77;
        InetSocketAddress silent = new InetSocketAddress(InetAddress.getByAddress(address), 4711);
        ConnectFailure failure = assertThrows(
                ConnectFailure.class, () -> device().connect(client(1), silent, PARAMETERS, LIMIT_MS, null));
        assertEquals(ConnectFailure.Kind.TIMED_OUT, failure.kind());
    }

    @Test
    void aNetworkWithoutARouteIsTold() throws IOException {
        InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 4711);
        // With an address of an interface the kernel would take the destination to be on its link, and ask there.
        InetSocketAddress any = new InetSocketAddress(10_001);
        ConnectFailure failure =
                assertThrows(ConnectFailure.class, () -> device().connect(any, elsewhere, PARAMETERS, LIMIT_MS, null));
        assertEquals(ConnectFailure.Kind.NO_ROUTE, failure.kind());
    }
}

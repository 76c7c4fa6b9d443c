package org.exsockets.verbs.soft.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.layout.HelloDescriptor.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which client finds what the acceptor has kept. Process ids are what the kernel would say. */
class SegmentCacheTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 4096, 8, 1, 1);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final int CLIENT = 7;
    private static final int OTHER = 8;

    private final SharedBudget budget = new SharedBudget(new MachineMemory(), Long.MAX_VALUE);
    private OwnProcess process;
    private SegmentCache cache;
    private Segment made;

    @BeforeEach
    void makeSegment() throws IOException {
        DescriptorPoll.require();
        process = new OwnProcess(false);
        cache = new SegmentCache(new PeerMappings<>(Integer.MAX_VALUE), budget);
        made = newSegment();
    }

    private Segment newSegment() throws IOException {
        return new SegmentPool(budget, process, cache.processes).acquire(PARAMETERS, null);
    }

    @AfterEach
    void dropAll() {
        cache.dropIdle();
        made.unmap();
    }

    private Hello hello(long number, long proof) {
        return new Hello(1, 1, 8, 4096, 0, 2, ANY, ANY, number, proof, process.token());
    }

    private Segment map(Segment from, long number, int processId) throws IOException {
        Hello hello = hello(number, from.proof());
        return cache.map(hello, processId, from.mapping().descriptor(), process.descriptor(), true);
    }

    @Test
    void theProcessThatHasPassedASegmentFindsItAgain() throws IOException {
        Segment mapped = map(made, made.number(), CLIENT);
        cache.release(mapped);
        assertSame(mapped, cache.acquire(hello(made.number(), made.proof()), CLIENT));
        cache.drop(mapped);
    }

    @ParameterizedTest
    @CsvSource({
        // process id, what is added to the proof
        "8, 0",
        "0, 0",
        "7, 1"
    })
    void nobodyElseFindsIt(int processId, long wrong) throws IOException {
        Segment mapped = map(made, made.number(), CLIENT);
        cache.release(mapped);
        assertNull(cache.acquire(hello(made.number(), made.proof() + wrong), processId));
        assertNotNull(cache.acquire(hello(made.number(), made.proof()), CLIENT), "it is still there");
        cache.drop(mapped);
    }

    /** It is in another pid namespace: whoever has no id could be it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsKeptForAProcessThatIsNotSeen(boolean twice) throws IOException {
        Segment mapped = map(made, made.number(), PeerProcess.UNSEEN);
        Segment again = twice ? map(made, made.number(), PeerProcess.UNSEEN) : null;
        assertEquals(twice ? 2 : 1, cache.processes.size());
        cache.release(mapped);
        assertNull(cache.acquire(hello(made.number(), made.proof()), PeerProcess.UNSEEN));
        if (again != null) {
            cache.release(again);
        }
        assertEquals(0, cache.processes.size());
    }

    /** Whoever knows a number can give it to a segment of his own. */
    @Test
    void aNumberIsTheFirstOwners() throws IOException {
        Segment mapped = map(made, made.number(), CLIENT);
        cache.release(mapped);
        Segment own = newSegment();
        cache.release(map(own, made.number(), OTHER));
        assertNull(cache.acquire(hello(made.number(), own.proof()), OTHER));
        assertSame(mapped, cache.acquire(hello(made.number(), made.proof()), CLIENT));
        cache.drop(mapped);
        own.unmap();
    }

    @Test
    void aProcessOfTheSameMemoryIsAnotherOneIfTheKernelSaysSo() throws IOException {
        Segment first = map(made, 1, CLIENT);
        Segment second = map(made, 2, OTHER);
        assertEquals(2, cache.processes.size());
        cache.drop(first);
        cache.drop(second);
    }
}

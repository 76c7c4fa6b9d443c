package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.junit.jupiter.api.Test;

/** Of those who find a closed connection unused at the same moment, one releases it: what it slept in is for others then. */
class ReleaseTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 64 << 10, 16, 1, 1);
    private static final int ROUNDS = 500;
    private static final int SPINS = 1_000;

    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger ready = new AtomicInteger();

    @Test
    void onlyOneOfTwoReleases() throws Exception {
        SoftDevice device = SoftDevices.open();
        for (int round = 1; round <= ROUNDS; round++) {
            ExsConnection unused = closedAndPinned(device);
            assertEquals(round - 1, releases.get());
            unused.progress.life.unpin();
            ready.set(0);
            Thread other = new Thread(() -> releaseTogether(unused));
            other.start();
            releaseTogether(unused);
            other.join();
            assertEquals(round, releases.get());
        }
    }

    private ExsConnection closedAndPinned(SoftDevice device) throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        ExsConnection connection = new ExsConnection(counting(ends.connected()));
        connection.progress.pin();
        connection.close(Close.ABORT);
        new ExsConnection(ends.accepted()).close(Close.ABORT);
        return connection;
    }

    private void releaseTogether(ExsConnection unused) {
        ready.incrementAndGet();
        for (int spins = 0; ready.get() < 2; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        unused.ending.tryRelease();
    }

    private Endpoint counting(Endpoint endpoint) {
        return Replacing.in(Endpoint.class, endpoint, "release", () -> {
            releases.incrementAndGet();
            return null;
        });
    }

    /** A selector's channel takes resources to make, which may be lacking just when some are to be given back. */
    @Test
    void aReleaseMakesNoChannelForSelectors() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        QueuePair queuePair = ends.connected().queuePair();
        CompletionChannel events =
                Replacing.in(CompletionChannel.class, queuePair.completionChannel(), "selectable", () -> {
                    throw new IllegalStateException("no channel to be had");
                });
        QueuePair watched = Replacing.in(QueuePair.class, queuePair, "completionChannel", () -> events);
        ExsConnection connection =
                new ExsConnection(counting(Replacing.in(Endpoint.class, ends.connected(), "queuePair", () -> watched)));
        connection.close(Close.ABORT);
        new ExsConnection(ends.accepted()).close(Close.ABORT);
        assertEquals(1, releases.get());
        assertTrue(connection.progress.life.isReleased());
    }
}

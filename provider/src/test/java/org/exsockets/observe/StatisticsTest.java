package org.exsockets.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.config.StatsTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatisticsTest {
    private static final String NOTHING = "{\"connections\":{\"soft\":0,\"disni\":0,\"tcp\":0},"
            + "\"bytes\":{\"sent\":{\"direct\":0,\"indirect\":0},\"received\":{\"direct\":0,\"indirect\":0}},"
            + "\"phases\":{\"sent\":0,\"received\":0},\"adverts\":{\"cancelled\":0,\"stale\":0},\"buffers\":{\"grown\":0,\"refused\":0,\"largest\":0},\"fallbacks\":{}}";

    private final Statistics statistics = new Statistics();

    @Test
    void anUnusedJvmPrintsZeros() {
        assertEquals(NOTHING, statistics.toJson());
    }

    @Test
    void everythingCountedIsPrintedInFixedOrder() {
        for (int i = 0; i < 3; i++) {
            statistics.connectionOpened(DeviceKind.SOFT);
        }
        statistics.connectionOpened(DeviceKind.DISNI);
        statistics.connectionOpened(DeviceKind.TCP);
        statistics.connectionOpened(DeviceKind.TCP);
        statistics.fallback(FallbackReason.VERSION);
        statistics.fallback(FallbackReason.NOT_LOCAL);
        statistics.fallback(FallbackReason.BACKLOG_FULL);
        statistics.fallback(FallbackReason.NOT_LOCAL);
        statistics.bufferGrown(4096);
        statistics.bufferGrown(1024);
        statistics.bufferRefused();
        statistics.register(traffic(1, 20, 300, 5_000_000_000L));
        assertEquals(
                "{\"connections\":{\"soft\":3,\"disni\":1,\"tcp\":2},"
                        + "\"bytes\":{\"sent\":{\"direct\":1,\"indirect\":20},"
                        + "\"received\":{\"direct\":300,\"indirect\":5000000000}},"
                        + "\"phases\":{\"sent\":0,\"received\":0},\"adverts\":{\"cancelled\":0,\"stale\":0},\"buffers\":{\"grown\":2,\"refused\":1,\"largest\":4096},\"fallbacks\":{\"backlog-full\":1,\"not-local\":2,\"version\":1}}",
                statistics.toJson());
    }

    @Test
    void onlyTcpMeansConnectionsOfWhichNoneIsOverEXS() {
        assertFalse(statistics.onlyTcp(), "none at all");
        statistics.connectionOpened(DeviceKind.TCP);
        assertTrue(statistics.onlyTcp());
        statistics.connectionOpened(DeviceKind.SOFT);
        assertFalse(statistics.onlyTcp());
    }

    @Test
    void bytesOfLiveAndRetiredConnectionsAreSummed() {
        Traffic closed = traffic(1, 2, 3, 4);
        Traffic open = traffic(10, 20, 30, 40);
        statistics.register(closed);
        statistics.register(open);
        statistics.retire(closed);
        open.bytesSentIndirect += 100;
        assertTraffic(11, 122, 33, 44, statistics.traffic());
    }

    @Test
    void aConnectionIsRetiredOnce() {
        Traffic traffic = traffic(1, 2, 3, 4);
        statistics.register(traffic);
        statistics.retire(traffic);
        statistics.retire(traffic);
        assertTraffic(1, 2, 3, 4, statistics.traffic());
    }

    @Test
    void placedBuffersAreToldWhereSomeWereToBePlaced() {
        statistics.directBufferPlaced();
        statistics.directBufferPlaced();
        statistics.directBufferRefused();
        assertTrue(
                statistics.toJson().contains("\"placed\":{\"buffers\":2,\"refused\":1},\"fallbacks\":{}}"),
                statistics.toJson());
    }

    @Test
    void registrationsAreToldWhereSomeWereToBeMade() {
        statistics.registrationMade();
        statistics.registrationRefused();
        statistics.registrationRefused();
        assertTrue(
                statistics.toJson().contains("},\"registrations\":{\"made\":1,\"refused\":2},\"fallbacks\":{}}"),
                statistics.toJson());
    }

    @Test
    void callsOfQueuePairsAreToldWhereThereAreSome() {
        VerbsCounts open = new VerbsCounts();
        VerbsCounts destroyed = new VerbsCounts();
        statistics.register(open);
        statistics.register(destroyed);
        destroyed.posted(2, true, false);
        destroyed.postedReceives(16);
        destroyed.tookEvent();
        statistics.retire(destroyed);
        statistics.retire(destroyed);
        open.posted(0, false, true);
        open.posted(1, true, true);
        open.polled(3);
        open.polled(0);
        open.armed();
        assertTrue(statistics.toJson().contains("""
                        },"verbs":{"post_send":3,"rdma_write":1,"rdma_write_with_imm":1,"send":1,"inline":2,"signaled":2,\
                        "post_recv":1,"receives":16,"poll_cq":2,"empty_polls":1,"completions":3,"req_notify_cq":1,\
                        "events":1,"crossings":8},"fallbacks":{}}"""), statistics.toJson());
    }

    @Test
    void aConnectionThatWasNeverRegisteredIsNotCounted() {
        statistics.retire(traffic(1, 2, 3, 4));
        assertEquals(NOTHING, statistics.toJson());
    }

    @Test
    void nothingIsLostOrCountedTwiceWhileConnectionsComeAndGo() throws Exception {
        int threads = 4;
        int perThread = 5_000;
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                work.add(pool.submit(() -> {
                    start.await();
                    for (int i = 0; i < perThread; i++) {
                        Traffic traffic = new Traffic();
                        statistics.connectionOpened(DeviceKind.SOFT);
                        statistics.fallback(FallbackReason.RULE);
                        statistics.register(traffic);
                        traffic.bytesSentIndirect += 7;
                        statistics.retire(traffic);
                    }
                    running.decrementAndGet();
                    return null;
                }));
            }
            start.countDown();
            long before = 0;
            while (running.get() > 0) {
                long now = statistics.traffic().bytesSentIndirect;
                assertTrue(now >= before && now <= 7L * threads * perThread, before + " then " + now);
                before = now;
            }
            for (Future<?> each : work) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(7L * threads * perThread, statistics.traffic().bytesSentIndirect);
        assertEquals(threads * perThread, statistics.connections(DeviceKind.SOFT));
        assertEquals(threads * perThread, statistics.fallbacks(FallbackReason.RULE));
    }

    @Test
    void aFileGetsOneLineMoreEachTime(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("stats.json");
        statistics.writeTo(new StatsTarget(Optional.of(file)));
        statistics.writeTo(new StatsTarget(Optional.of(file)));
        assertEquals(NOTHING + "\n" + NOTHING + "\n", Files.readString(file));
    }

    private static Traffic traffic(long sentDirect, long sentIndirect, long receivedDirect, long receivedIndirect) {
        Traffic traffic = new Traffic();
        traffic.bytesSentDirect += sentDirect;
        traffic.bytesSentIndirect += sentIndirect;
        traffic.bytesReceivedDirect += receivedDirect;
        traffic.bytesReceivedIndirect += receivedIndirect;
        return traffic;
    }

    private static void assertTraffic(
            long sentDirect, long sentIndirect, long receivedDirect, long receivedIndirect, Traffic actual) {
        assertEquals(sentDirect, actual.bytesSentDirect);
        assertEquals(sentIndirect, actual.bytesSentIndirect);
        assertEquals(receivedDirect, actual.bytesReceivedDirect);
        assertEquals(receivedIndirect, actual.bytesReceivedIndirect);
    }
}

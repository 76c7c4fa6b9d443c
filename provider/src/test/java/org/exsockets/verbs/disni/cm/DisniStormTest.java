package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.observe.CapturedLog;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.Endpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients of a process whose device thread is late. */
@Tag("rdma")
class DisniStormTest extends DeviceFixture {
    private static final int CLIENTS = 24;
    private static final int BACKLOG = 4;
    private static final int NEVER_MS = 300_000;
    private static final int SHORT_MS = 300;

    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    /** Keeps the thread of the device from everything until it is released. */
    private static final class Held {
        private final CountDownLatch released = new CountDownLatch(1);

        Held(Device device) throws InterruptedException {
            CountDownLatch held = new CountDownLatch(1);
            ((DisniDevice) device).thread.submit(() -> {
                held.countDown();
                boolean done = false;
                while (!done) {
                    try {
                        released.await();
                        done = true;
                    } catch (InterruptedException e) {
                        // Nobody does that.
                    }
                }
            });
            held.await();
        }

        void release() {
            released.countDown();
        }
    }

    /** {@return how many requests the kernel has repeated, or taken twice, by the name of the kernel's counters} */
    private static long requests(String counters) throws IOException {
        long sum = 0;
        boolean found = false;
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(Path.of("/sys/class/infiniband"))) {
            for (Path device : devices) {
                Path counter = device.resolve("ports/1").resolve(counters).resolve("req");
                if (Files.exists(counter)) {
                    found = true;
                    sum += Long.parseLong(Files.readString(counter).trim());
                }
            }
        }
        assumeTrue(found, "the kernel does not count: " + counters);
        return sum;
    }

    private static boolean hasAsked(Thread client) {
        return client.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(client.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("complete"));
    }

    private static final List<DisniDevice> OTHERS = new ArrayList<>();

    private static DisniDevice other() throws IOException {
        DisniDevice other = RealDevice.open(NEVER_MS);
        OTHERS.add(other);
        return other;
    }

    /** Devices of one process share the adapter's events: one thread gets each. */
    @AfterAll
    static void endOthers() {
        OTHERS.forEach(DisniDevice::end);
    }

    /**
     * The backlog bounds what the program has not accepted, not what the thread is late for. The kernel drops in silence
     * what is beyond its own backlog: that shows in requests that are repeated though no request like that is known.
     */
    @Test
    void clientsThatComeAtOnceAreAllConnected() throws Exception {
        DisniDevice others = other();
        long received = requests("cm_rx_msgs");
        long lost = requests("cm_tx_retries") - requests("cm_rx_duplicates");
        List<Object> results = Collections.synchronizedList(new ArrayList<>());
        try (ServerSocket own = new ServerSocket(0, 0, host())) {
            InetSocketAddress crowded = (InetSocketAddress) own.getLocalSocketAddress();
            DeviceListener few = device().listen(crowded, false, BACKLOG, PARAMETERS);
            List<Thread> clients = new ArrayList<>();
            Held late = new Held(device());
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    InetSocketAddress client = client(i);
                    Thread thread = new Thread(() -> {
                        try {
                            results.add(others.connect(client, crowded, PARAMETERS));
                        } catch (ConnectFailure e) {
                            results.add(e.kind());
                        }
                    });
                    thread.start();
                    clients.add(thread);
                }
                waitFor(() -> requests("cm_rx_msgs") - received >= CLIENTS ? true : null);
            } finally {
                late.release();
            }
            for (Thread client : clients) {
                client.join();
            }
            assertTrue(results.stream().allMatch(Endpoint.class::isInstance), results::toString);
            for (Object each : results) {
                ended((Endpoint) each);
                accept(few);
            }
            few.close();
        }
        assertEquals(lost, requests("cm_tx_retries") - requests("cm_rx_duplicates"));
    }

    /** {@return whether a client that has got no answer within a limit has asked for one} */
    private boolean asksInVain(DisniDevice from, int limitMs) throws Exception {
        FutureTask<ConnectFailure> connect = new FutureTask<>(() -> assertThrows(
                ConnectFailure.class, () -> from.connect(client(1), address(), PARAMETERS, limitMs, null)));
        Thread client = new Thread(connect);
        client.start();
        boolean asked = false;
        while (client.isAlive()) {
            asked |= hasAsked(client);
        }
        assertEquals(ConnectFailure.Kind.TIMED_OUT, connect.get().kind());
        return asked;
    }

    /** What the client lacked was patience, so nobody is told to raise a limit. */
    @Test
    void aClientThatHasGivenUpIsNoLackOfResources() throws Exception {
        DisniDevice others = other();
        try (CapturedLog log = new CapturedLog()) {
            Held late = new Held(device());
            try {
                int limitMs = SHORT_MS;
                while (!asksInVain(others, limitMs)) {
                    limitMs *= 2; // It gave up before its request was out.
                }
            } finally {
                late.release();
            }
            waitFor(() -> log.toString().contains("accept over disni:") ? true : null);
            assertTrue(log.toString().contains("the client has given up"), log::toString);
            assertFalse(log.toString().contains("no resources"), log::toString);
        }
        connect();
    }

    /** Not even a thread that comes back late from its connect misses what the listener has accepted. */
    @Test
    void whoeverConnectsKnowsWhatIsAccepted() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            AtomicBoolean answered = new AtomicBoolean();
            FutureTask<Endpoint> connect = new FutureTask<>(
                    () -> device().connect(client(1), address(), PARAMETERS, NEVER_MS, () -> answered.set(true)));
            new Thread(connect).start();
            accept(listener());
            assertTrue(answered.get());
            ended(connect.get());
        }
    }

    /** A thread that is late for the first request, until its client has taken it back, is to the client like a lost one. */
    @Test
    void aRequestWithoutAnAnswerIsMadeAgain() throws Exception {
        DisniDevice others = other();
        FutureTask<Endpoint> connect = new FutureTask<>(
                () -> others.connect(client(1), address(), PARAMETERS, NEVER_MS, NEVER_MS - SHORT_MS, () -> {}));
        try (CapturedLog log = new CapturedLog()) {
            Held late = new Held(device());
            try {
                new Thread(connect).start();
                waitFor(() -> log.toString().contains("asking again") ? true : null);
            } finally {
                late.release();
            }
            ended(connect.get());
        }
        Endpoint accepted = accept(listener());
        assertSendArrives(connect.get(), accepted, 10);
    }
}

package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.waiting.ProgressThread;
import org.junit.jupiter.api.Test;

/** Very many clients that do not keep to the rules: others are served meanwhile, and nothing is left of them. The seed is fixed. */
class FloodTest extends RawClientFixture {
    private static final long SEED = 1;
    private static final int FORGED = 3_000;
    private static final int FLOODERS = 3;
    private static final int OF_EACH = 400;
    private static final int HONEST = 200;

    @Test
    void forgedHellosLeaveNothingBehind() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        exchange();
        OpenDescriptors before = OpenDescriptors.now();
        for (int i = 0; i < FORGED; i++) {
            byte[] hello = claimedHello();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                hello[random.nextInt(hello.length)] = (byte) random.nextInt();
            }
            try (LocalClient client = new LocalClient()) {
                client.say(hello, oneOf(random, client), oneOf(random, client));
                Endpoint accepted = listener().tryAccept();
                if (accepted != null) {
                    drop(accepted);
                }
            }
        }
        assertServes();
        awaitNothingLeft(before);
    }

    @Test
    void othersAreServedDuringAFlood() throws Exception {
        exchange();
        OpenDescriptors before = OpenDescriptors.now();
        ExecutorService flooders = Executors.newFixedThreadPool(FLOODERS);
        try {
            List<Future<?>> floods = new ArrayList<>();
            for (int i = 0; i < FLOODERS; i++) {
                long seed = SEED + i;
                floods.add(flooders.submit(() -> {
                    flood(new SplittableRandom(seed));
                    return null;
                }));
            }
            for (int i = 0; i < HONEST; i++) {
                exchange();
            }
            for (Future<?> each : floods) {
                while (!each.isDone()) {
                    exchange();
                }
                each.get();
            }
        } finally {
            flooders.shutdownNow();
        }
        assertServes();
        awaitNothingLeft(before);
    }

    /** A socket that has connected to the listener, if that had room. */
    private final class LocalClient implements AutoCloseable {
        private final LocalSocket socket;

        LocalClient() throws IOException {
            socket = LocalSocket.open();
            socket.connect(ListenerNames.of(address(), false, 1), new long[1]);
        }

        /** Whoever has been given up does not hear it. */
        void say(byte[] bytes, int first, int second) {
            try {
                socket.send(bytes, first, second);
            } catch (IOException givenUp) {
                // Nothing is lost.
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private void flood(SplittableRandom random) throws IOException {
        for (int i = 0; i < OF_EACH; i++) {
            try (LocalClient client = new LocalClient()) {
                byte[] hello = claimedHello();
                switch (random.nextInt(5)) {
                    case 0 -> {} // Says nothing.
                    case 1 -> client.say(new byte[random.nextInt(1, 1_000)], NONE, NONE);
                    case 2 -> client.say(Arrays.copyOf(hello, random.nextInt(1, hello.length)), NONE, NONE);
                    case 3 -> client.say(hello, process.descriptor(), client.socket.descriptor());
                    default -> {
                        for (byte each : hello) {
                            client.say(new byte[] {each}, segment.descriptor(), process.descriptor());
                        }
                    }
                }
            }
        }
    }

    private int oneOf(SplittableRandom random, LocalClient client) {
        return switch (random.nextInt(4)) {
            case 0 -> NONE;
            case 1 -> client.socket.descriptor();
            case 2 -> process.descriptor();
            default -> segment.descriptor();
        };
    }

    private byte[] claimedHello() throws IOException {
        claim();
        return hello().array();
    }

    /** Connects, unless the backlog is full, and accepts; whoever else is accepted meanwhile is dropped. */
    private boolean exchange() throws IOException {
        Endpoint a;
        try {
            a = device().connect(client(9), address(), PARAMETERS);
        } catch (ConnectFailure full) {
            assertEquals(ConnectFailure.Kind.BACKLOG_FULL, full.kind());
            Endpoint other = listener().tryAccept();
            if (other != null) {
                drop(other);
            }
            return false;
        }
        Endpoint b = waitFor(listener()::tryAccept);
        while (!b.remoteAddress().equals(client(9))) {
            drop(b);
            b = waitFor(listener()::tryAccept);
        }
        postReceive(b, 7);
        post(a, withImmediate(a, new byte[] {1, 2, 3}, 0, 5));
        assertEquals(5, poll(b).immediate);
        drop(a);
        drop(b);
        return true;
    }

    /** Only those who are silent may be in the way. */
    private void assertServes() throws IOException {
        while (!exchange()) {
            Thread.onSpinWait();
        }
    }

    /** Hellos that came late may be complete only now. */
    private void awaitNothingLeft(OpenDescriptors before) throws IOException {
        waitFor(() -> {
            Endpoint late = listener().tryAccept();
            if (late != null) {
                drop(late);
            }
            return OpenDescriptors.now().moreThan(before) <= 0 ? true : null;
        });
    }

    /** As the owner of a connection does: the background thread knows the socket of one whose hello came late. */
    private static void drop(Endpoint endpoint) {
        SelectableChannel selectable = endpoint.queuePair().completionChannel().selectable();
        endpoint.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        endpoint.release();
        ProgressThread.flushClosed(selectable);
    }
}

package org.exsockets.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.Background;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One listener of the program over TCP and two devices. */
class AcceptorTest {
    /** A device's listener in memory; a pipe is readable while connections wait. */
    private static final class QueueListener extends ScriptedListener {
        private final Pipe pipe;
        private final Queue<Endpoint> waiting = new ArrayDeque<>();
        private Runnable onLate;
        private boolean late;
        private IOException broken;
        private Endpoint always;

        QueueListener() throws IOException {
            pipe = JdkChannels.provider().openPipe();
            pipe.source().configureBlocking(false);
        }

        synchronized void offer(Endpoint endpoint) throws IOException {
            waiting.add(endpoint);
            pipe.sink().write(ByteBuffer.allocate(1));
        }

        void offerLate(Endpoint endpoint) {
            synchronized (this) {
                waiting.add(endpoint);
                late = true;
            }
            onLate.run();
        }

        /** @param gone whether the channel goes with the listener */
        synchronized void breakDown(boolean gone) throws IOException {
            broken = new IOException("device removed");
            pipe.sink().write(ByteBuffer.allocate(1));
            if (gone) {
                pipe.source().close();
            }
        }

        @Override
        public SelectableChannel selectable() {
            return pipe.source();
        }

        @Override
        public synchronized Endpoint tryAccept() throws IOException {
            if (broken != null) {
                throw broken;
            }
            if (always != null) {
                return always;
            }
            if (!waiting.isEmpty() && !late) {
                pipe.source().read(ByteBuffer.allocate(1));
            }
            late = false;
            return waiting.poll();
        }

        @Override
        public boolean hasArrivals() {
            return always != null;
        }

        @Override
        public synchronized boolean hasLate() {
            return late;
        }

        @Override
        public void attend(Background background, Runnable listener) {
            onLate = listener;
        }

        @Override
        public void close() {
            closed = true;
            try {
                pipe.source().close();
                pipe.sink().close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Endpoint endpoint(String device) {
        return (Endpoint) Proxy.newProxyInstance(
                AcceptorTest.class.getClassLoader(),
                new Class<?>[] {Endpoint.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "device", "toString" -> device;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> null;
                });
    }

    private final QueueListener soft;
    private final QueueListener disni;
    private final List<SocketChannel> clients = new ArrayList<>();
    private ServerSocketChannel tcp;
    private Acceptor<SocketChannel> acceptor;

    AcceptorTest() throws IOException {
        soft = new QueueListener();
        disni = new QueueListener();
    }

    @BeforeEach
    void listen() throws IOException {
        tcp = JdkChannels.openServerSocketChannel(null);
        tcp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        tcp.configureBlocking(false);
        acceptor = new Acceptor<>(List.of(soft, disni), tcp, tcp::accept, false);
    }

    @AfterEach
    void close() throws IOException {
        acceptor.close();
        tcp.close();
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    private void connectTcp() throws IOException {
        SocketChannel client = JdkChannels.openSocketChannel(null);
        clients.add(client);
        client.connect(tcp.getLocalAddress());
    }

    /** {@return the device of the next connection, "tcp", or "nobody"} */
    private String acceptNow() throws IOException {
        Acceptor.Accepted<SocketChannel> accepted = acceptor.accept(Wait.NONE);
        if (accepted.tcp() != null) {
            accepted.tcp().close();
            return "tcp";
        }
        return accepted.endpoint() != null ? accepted.endpoint().device() : "nobody";
    }

    @Test
    void nobodyStarvesWhereAllKindsOfPeersCome() throws IOException {
        for (int i = 0; i < 3; i++) {
            connectTcp();
            soft.offer(endpoint("soft"));
            disni.offer(endpoint("disni"));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("tcp", "soft", "disni"), List.of(acceptNow(), acceptNow(), acceptNow()));
        }
        assertEquals("nobody", acceptNow());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeviceThatIsAlwaysBusyStarvesNobody(boolean waiting) throws IOException {
        soft.always = endpoint("soft");
        connectTcp();
        disni.offer(endpoint("disni"));
        Set<String> served = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Acceptor.Accepted<SocketChannel> accepted = acceptor.accept(waiting ? Wait.UNINTERRUPTIBLE : Wait.NONE);
            if (accepted.tcp() != null) {
                accepted.tcp().close();
            }
            served.add(accepted.tcp() != null ? "tcp" : accepted.endpoint().device());
        }
        assertEquals(Set.of("tcp", "soft", "disni"), served);
    }

    @Test
    void aSleeperIsWokenByEachDevice() throws Exception {
        for (QueueListener device : List.of(soft, disni, soft)) {
            Endpoint expected = endpoint(device == soft ? "soft" : "disni");
            CompletableFuture<Thread> started = new CompletableFuture<>();
            CompletableFuture<Endpoint> accepted = CompletableFuture.supplyAsync(() -> {
                started.complete(Thread.currentThread());
                try {
                    return acceptor.accept(Wait.UNINTERRUPTIBLE).endpoint();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            awaitAsleep(started.get());
            device.offer(expected);
            assertSame(expected, accepted.get());
        }
    }

    private static void awaitAsleep(Thread thread) {
        boolean asleep = false;
        while (!asleep) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                asleep |= frame.getMethodName().equals("epollWait")
                        || frame.getMethodName().equals("wait");
            }
            asleep |= Thread.State.TIMED_WAITING == thread.getState();
            Thread.onSpinWait();
        }
    }

    @Test
    void aLateHandshakeOfEachDeviceIsSignalled() throws IOException {
        List<String> signals = new ArrayList<>();
        acceptor.sources().addSignal(() -> signals.add("late"));
        assertFalse(acceptor.sources().hasLate());
        disni.offerLate(endpoint("disni"));
        assertTrue(acceptor.sources().hasLate());
        assertEquals("disni", acceptNow());
        soft.offerLate(endpoint("soft"));
        assertTrue(acceptor.sources().hasLate());
        assertEquals("soft", acceptNow());
        assertFalse(acceptor.sources().hasLate());
        assertEquals(List.of("late", "late"), signals);
    }

    @Test
    void aListenerThatGoesAwayLeavesTheOthersAlone() throws IOException {
        disni.breakDown(true);
        soft.offer(endpoint("soft"));
        connectTcp();
        List<String> accepted = List.of(acceptNow(), acceptNow(), acceptNow());
        assertEquals(
                List.of("tcp", "soft", "nobody"),
                accepted.stream().sorted(this::order).toList());
        assertTrue(disni.closed);
        assertEquals(List.of(tcp, soft.selectable()), List.of(acceptor.sources().channels()));
    }

    private int order(String one, String other) {
        List<String> order = List.of("tcp", "soft", "disni", "nobody");
        return Integer.compare(order.indexOf(one), order.indexOf(other));
    }

    @Test
    void aFaultThatMayPassIsReportedAsTcpWouldReportIt() throws IOException {
        disni.breakDown(false);
        assertThrows(IOException.class, this::acceptNow);
        assertEquals(3, acceptor.sources().channels().length);
    }

    @Test
    void closingClosesAllAndWakesTheSleeper() throws Exception {
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Integer> outcome = CompletableFuture.supplyAsync(() -> {
            started.complete(Thread.currentThread());
            try {
                return acceptor.accept(Wait.UNINTERRUPTIBLE).outcome();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        while (!isIn("sleep", started.get())) {
            Thread.onSpinWait();
        }
        acceptor.close();
        assertEquals(Outcome.CLOSED, outcome.get());
        assertTrue(soft.closed && disni.closed);
        assertEquals(
                Outcome.CLOSED_BEFORE, acceptor.accept(Wait.UNINTERRUPTIBLE).outcome());
    }

    private static boolean isIn(String method, Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(AcceptSources.class.getName())
                        && frame.getMethodName().equals(method));
    }

    /** It may be a virtual thread that gets no carrier before the one that closes has returned. */
    @Test
    void closeDoesNotWaitForAThreadThatAccepts() throws Exception {
        CountDownLatch accepting = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Acceptor<SocketChannel> held = new Acceptor<>(
                List.of(),
                tcp,
                () -> {
                    accepting.countDown();
                    try {
                        goesOn.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return null;
                },
                false);
        CompletableFuture<Integer> outcome = CompletableFuture.supplyAsync(() -> {
            try {
                return held.accept(Wait.NONE).outcome();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        accepting.await();
        held.close();
        assertFalse(outcome.isDone());
        goesOn.countDown();
        outcome.get();
    }
}

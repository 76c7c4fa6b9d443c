package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A device with a listener on a TCP port of this process, and connections to it that are ended after the test. */
public abstract class DeviceFixture {
    protected static final int DEPTH = 8;
    protected static final int EXPOSED_BYTES = 4096;
    protected static final int MAX_EXPOSED_BYTES = 64 << 10;
    protected static final EndpointParameters PARAMETERS =
            new EndpointParameters(EXPOSED_BYTES, MAX_EXPOSED_BYTES, DEPTH, 1, 1);

    private final List<Endpoint> endpoints = new ArrayList<>();
    private ServerSocket port;
    private Device device;
    private DeviceListener listener;

    /** A connection: "a" has connected, "b" has accepted. */
    protected record Pair(Endpoint a, Endpoint b) {}

    protected abstract Device open() throws Exception;

    /** {@return where the device's connections go} */
    protected DevicePlace place() {
        return new DevicePlace.Loopback();
    }

    /** {@return an IPv4 address of this machine that the device serves} */
    protected final InetAddress host() throws IOException {
        return place().host();
    }

    @BeforeEach
    final void openDevice() throws Exception {
        port = new ServerSocket(0, 0, host());
        device = open();
        listener = device.listen(address(), false, 50, PARAMETERS);
    }

    @AfterEach
    final void closeDevice() throws IOException {
        for (Endpoint endpoint : endpoints) {
            endpoint.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        }
        for (Endpoint endpoint : endpoints) {
            endpoint.release();
        }
        listener.close();
        device.close();
        port.close();
    }

    protected final Device device() {
        return device;
    }

    protected final DeviceListener listener() {
        return listener;
    }

    /** {@return the address of {@link #listener()}} */
    protected final InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    protected final InetSocketAddress client(int number) throws IOException {
        return new InetSocketAddress(host(), 10_000 + number);
    }

    protected final Pair connect() throws IOException {
        Endpoint a = connectOnly(PARAMETERS);
        Endpoint b = accept(listener);
        a.queuePair().completionChannel().drain(); // A hand-shake may have left something.
        return new Pair(a, b);
    }

    protected final Endpoint connectOnly(EndpointParameters parameters) throws IOException {
        return ended(device.connect(client(endpoints.size()), address(), parameters));
    }

    protected final Endpoint accept(DeviceListener from) throws IOException {
        return ended(waitFor(from::tryAccept));
    }

    /** Has {@code endpoint} ended after the test. */
    protected final Endpoint ended(Endpoint endpoint) {
        endpoints.add(endpoint);
        return endpoint;
    }

    /** {@return the first result of {@code attempt} that is not null} A test that waits for ever is ended by its time-out. */
    protected static <T> T waitFor(Callable<T> attempt) throws IOException {
        try {
            for (T result; !Thread.interrupted(); Thread.yield()) {
                if ((result = attempt.call()) != null) {
                    return result;
                }
            }
            throw new AssertionError("waited for in vain");
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Arms, and lets another thread sleep, for ever. {@return what the sleep says} */
    protected static CompletableFuture<Boolean> sleepOnWord(Endpoint end) {
        WakeWord word = word(end);
        word.arm();
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        Thread sleeper = new Thread(() -> woken.complete(word.sleep(Long.MAX_VALUE)), "sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        return woken;
    }

    protected static WakeWord word(Endpoint end) {
        return Objects.requireNonNull(end.queuePair().wakeWord());
    }

    protected static void hangup(Endpoint end) throws IOException {
        CompletionChannel channel = end.queuePair().completionChannel();
        waitFor(() -> (channel.drain() & CompletionChannel.HANGUP) == 0 ? null : true);
    }

    protected static void post(Endpoint end, WorkRequest request) {
        assertEquals(QueuePair.POSTED, request.postTo(end.queuePair()));
        assertFalse(end.queuePair().inError());
    }

    protected static void postReceive(Endpoint end, long wrId) {
        assertTrue(end.queuePair().postReceive(wrId, ByteBuffer.allocate(64), 0, 40));
    }

    /** Where receives need not be alike, a message takes the one that was posted for it. */
    protected static void assertReceive(long wrId, Endpoint end, WorkCompletion completion) {
        if (!end.queuePair().placesWhenPolled()) {
            assertEquals(wrId, completion.wrId);
        }
    }

    protected static WorkRequest write(Endpoint from, byte[] payload, int offset) {
        return new WorkRequest()
                .write(
                        ByteBuffer.wrap(payload),
                        0,
                        payload.length,
                        from.remote().address() + offset,
                        from.remote().key());
    }

    protected static WorkRequest withImmediate(Endpoint from, byte[] payload, int offset, int immediate) {
        return new WorkRequest()
                .writeWithImmediate(
                        ByteBuffer.wrap(payload),
                        0,
                        payload.length,
                        from.remote().address() + offset,
                        from.remote().key(),
                        immediate);
    }

    protected static WorkCompletion poll(Endpoint end) throws IOException {
        WorkCompletion completion = new WorkCompletion();
        CompletionQueue queue = end.queuePair().completionQueue();
        waitFor(() -> !queue.isEmpty() && queue.poll(completion) ? completion : null);
        return completion;
    }

    protected static void assertNothing(Endpoint end) {
        assertTrue(end.queuePair().completionQueue().isEmpty());
        assertFalse(end.queuePair().completionQueue().poll(new WorkCompletion()));
    }

    protected static void assertSendArrives(Endpoint from, Endpoint to, int length) throws IOException {
        postReceive(to, length);
        post(from, new WorkRequest().send(ByteBuffer.allocate(length), 0, length));
        assertFalse(waitFor(() -> to.queuePair().completionQueue().isEmpty() ? null : false));
        WorkCompletion completion = poll(to);
        assertEquals(WorkCompletion.Status.SUCCESS, completion.status);
        assertEquals(length, completion.byteLength);
    }

    protected static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    protected static byte[] exposed(Endpoint end, int offset, int length) {
        byte[] bytes = new byte[length];
        end.exposed().get(offset, bytes);
        return bytes;
    }
}

package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.function.Predicate;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Threads;
import org.exsockets.memory.Words;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/** The acceptor's side of one hand-shake: reads the hello, checks it, maps the segment. One thread at a time. */
final class HelloReader {
    /** A running client writes its hello within a microsecond; a preempted one needs the core. */
    private static final int SOON_ATTEMPTS = 200;

    /**
     * Longer than a tick of the scheduler with 250 or 1,000 a second: a sleep that ends sooner makes the kernel set its timer
     * anew, twice, and in a virtual machine that took 16 µs, more than half of what the connection takes.
     */
    static final long SOON_NS = 5_000_000;

    private static final int MIN_REGION_BYTES = 4096;

    private final SocketChannel channel;
    private final UserPrincipal owner;
    private final SegmentCache cache;
    private final EndpointParameters parameters;
    private final Predicate<InetSocketAddress> belongsHere;
    private final Predicate<InetSocketAddress> canBeClients;
    private long proof;
    private final long sinceNs = System.nanoTime();

    /** Read into, under its monitor, for one read that does not wait. */
    private final ByteBuffer shared;

    private final ByteBuffer bytes = ByteBuffer.allocate(HelloDescriptor.LENGTH);

    /**
     * @param belongsHere whether a client that wants this address means the listener
     * @param canBeClients whether a client can have this address over TCP, where programs rely on it
     * @param shared direct, of {@link HelloDescriptor#LENGTH}; all readers of a listener may have the same
     */
    HelloReader(
            SocketChannel channel,
            UserPrincipal owner,
            SegmentCache cache,
            EndpointParameters parameters,
            Predicate<InetSocketAddress> belongsHere,
            Predicate<InetSocketAddress> canBeClients,
            ByteBuffer shared) {
        this.channel = channel;
        this.shared = shared;
        this.owner = owner;
        this.cache = cache;
        this.parameters = parameters;
        this.belongsHere = belongsHere;
        this.canBeClients = canBeClients;
    }

    SocketChannel channel() {
        return channel;
    }

    /** {@return when the client was taken off the backlog, by {@link System#nanoTime}} */
    long sinceNs() {
        return sinceNs;
    }

    /** {@return the number of an acceptable hello, which its client knocks with} */
    long proof() {
        return proof;
    }

    /** As {@link #tryRead}, giving a client that is just about to write a moment for it. */
    Endpoint readSoon() throws IOException {
        int descriptor = Threads.currentIsVirtual() ? DescriptorPoll.NONE : DescriptorPoll.descriptor(channel);
        return descriptor == DescriptorPoll.NONE ? readYielding() : readPolling(descriptor);
    }

    /** The hello itself wakes us, and until then the client has the core. */
    private Endpoint readPolling(int descriptor) throws IOException {
        int ready = DescriptorPoll.poll(descriptor, DescriptorPoll.NONE, SOON_NS);
        if (ready < 0) {
            throw new IOException("hello: poll failed: error=" + -ready);
        }
        return tryRead();
    }

    private Endpoint readYielding() throws IOException {
        for (int attempt = 0; attempt < SOON_ATTEMPTS; attempt++) {
            Endpoint endpoint = tryRead();
            if (endpoint != null) {
                return endpoint;
            }
            Thread.yield();
        }
        return null;
    }

    /**
     * Reads what is there.
     *
     * @return null if the hello is not complete yet
     * @throws NoResourcesException if the segment cannot be mapped now; this may be called again
     * @throws IOException if it is not acceptable, or the client is gone
     */
    Endpoint tryRead() throws IOException {
        if (bytes.hasRemaining() && readMore() < 0) {
            throw new IOException("hello: the client closed before its hello was complete: bytes=" + bytes.position());
        }
        if (bytes.hasRemaining()) {
            return null;
        }
        try {
            return accept(HelloDescriptor.decode(bytes));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** By way of direct memory that is there already: the program may have none left. */
    private int readMore() throws IOException {
        synchronized (shared) {
            int n = channel.read(shared.clear().limit(bytes.remaining()));
            bytes.put(shared.flip());
            return n;
        }
    }

    private Endpoint accept(HelloDescriptor.Hello hello) throws IOException {
        int version = Math.min(hello.maxVersion(), parameters.maxVersion());
        check(version >= hello.minVersion() && version >= parameters.minVersion(), "no common version", hello);
        check(Integer.bitCount(hello.slots()) == 1 && hello.slots() >= 4, "bad number of slots", hello);
        check(hello.slots() <= EndpointParameters.MAX_RECEIVE_DEPTH, "bad number of slots", hello);
        check(Integer.bitCount(hello.regionBytes()) == 1, "bad region length", hello);
        check(hello.regionBytes() >= MIN_REGION_BYTES, "bad region length", hello);
        check(hello.regionBytes() <= EndpointParameters.MAX_EXPOSED_BYTES, "bad region length", hello);
        int reserve = hello.reserveBytes();
        check(
                reserve == 0 || reserve > hello.regionBytes() && reserve <= EndpointParameters.MAX_EXPOSED_BYTES,
                "bad reserve",
                hello);
        check(belongsHere.test(hello.server()), "not an address of this listener", hello);
        check(canBeClients.test(hello.client()), "not an address that a client can have", hello);
        Segment segment = acquire(hello);
        try {
            ByteBuffer memory = segment.mapping().memory();
            check(
                    Words.longAcquire(memory, SegmentDescriptor.MAGIC_OFFSET) == SegmentDescriptor.MAGIC
                            && Words.intPlain(memory, SegmentDescriptor.LAYOUT_OFFSET) == SegmentDescriptor.LAYOUT
                            && Words.intPlain(memory, SegmentDescriptor.LENGTH_OFFSET) == memory.capacity()
                            && Words.intPlain(memory, SegmentDescriptor.SLOTS_OFFSET) == hello.slots()
                            && Words.intPlain(memory, SegmentDescriptor.REGION_OFFSET) == hello.regionBytes()
                            && Words.intPlain(memory, SegmentDescriptor.RESERVE_OFFSET) == reserve,
                    "not a segment of this layout",
                    hello);
            check(segment.proof() == hello.proof(), "not the one who made the segment ready", hello);
            proof = hello.proof();
            segment.markMappedByB();
            Doorbell doorbell = new Doorbell(channel);
            return new SoftEndpoint(
                    segment,
                    false,
                    version,
                    hello.server(),
                    hello.client(),
                    doorbell,
                    new Reserves(cache.directory(), segment, false, parameters.maxExposedBytes()),
                    cache.arenas().of(segment, false),
                    cache.signs().of(segment, false, doorbell),
                    this::release);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            segment.markReleasedByB();
            segment.mapping().unmap();
            throw e;
        } catch (InternalError truncated) {
            segment.mapping().unmap();
            throw new IOException("hello: the segment was truncated: " + hello, truncated);
        }
    }

    private Segment acquire(HelloDescriptor.Hello hello) throws IOException {
        Segment known = cache.acquire(hello.segment(), hello.slots(), hello.regionBytes(), hello.reserveBytes());
        if (known != null) {
            return known;
        }
        Credentials.check(channel, owner);
        return cache.map(hello.segment(), hello.slots(), hello.regionBytes(), hello.reserveBytes());
    }

    private void release(Segment segment, Doorbell doorbell) {
        doorbell.close();
        cache.release(segment);
    }

    private static void check(boolean valid, String problem, HelloDescriptor.Hello hello) throws IOException {
        if (!valid) {
            throw new IOException("hello: " + problem + ": " + hello);
        }
    }
}

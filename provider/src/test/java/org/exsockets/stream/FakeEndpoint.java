package org.exsockets.stream;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.exsockets.memory.FailedMemory;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over a scripted device in memory, driven by one thread.
 *
 * <p>A request is taken when it is posted and takes effect at the peer, in order, when the script says {@link
 * #deliver}. The device is strict: a message for which the peer has posted no receive, a write outside the exposed
 * memory, or into a region that was released or left, is an {@link AssertionError} at once; of a stream's bytes also one
 * that is out of order, or onto bytes that were not read yet.
 */
public final class FakeEndpoint implements Endpoint, QueuePair, CompletionQueue, DirectAccess, MemoryWindows {
    private static final long BASE_ADDRESS = 0x7000_0000_0000L;
    private static final int KEY = 77;

    /** Advertised addresses carry the serial number of their window above this. */
    private static final int SERIAL_SHIFT = 40;

    private static final long NOWHERE = 0;

    /** What is read of memory that was let go: no zeroes, which programs might have sent. */
    private static final byte POISON = 0x5a;

    /** What an arrival or a failed request becomes at {@link #poll}. */
    public record Arrival(Opcode opcode, Status status, byte[] payload, int byteLength, int immediate) {}

    private record Operation(byte[] bytes, long address, int key, Arrival arrival) {
        long serial() {
            return address >>> SERIAL_SHIFT;
        }
    }

    private record Receive(long wrId, ByteBuffer target, int offset, int lengthBytes) {}

    /** Memory the peer may write to, and how much of the stream has gone there. */
    private final class Region implements ExposedRegion {
        private final int key;
        private final ByteBuffer memory;
        private long base;
        private long written;
        private boolean released;

        private Region(int key, int lengthBytes) {
            this.key = key;
            this.memory = ByteBuffer.allocate(lengthBytes).order(ByteOrder.nativeOrder());
        }

        @Override
        public ByteBuffer memory() {
            return memory;
        }

        @Override
        public long address() {
            return BASE_ADDRESS + key;
        }

        @Override
        public int key() {
            return key;
        }

        @Override
        public void release() {
            check(!released && key < latestKey, "region in use released");
            released = true;
        }

        private void place(byte[] bytes, long at) {
            int offset = (int) (at - address());
            check(!released && key == latestKey, "write into a region that is not in use any more");
            if (!ordered) {
                memory.put(offset, bytes);
                return;
            }
            check(offset == written % memory.capacity(), "write at the wrong place");
            if (written == 0) {
                base = writtenByPeer;
            }
            written += bytes.length;
            writtenByPeer += bytes.length;
            long read = Math.max(0, readByProgram - base);
            check(written - read <= memory.capacity(), "unread bytes overwritten");
            memory.put(offset, bytes);
        }
    }

    private final List<Region> regions = new ArrayList<>();

    /** Calls of this end that post requests, and those that post receives. */
    int postCalls;

    int receiveCalls;

    /** Messages posted that the peer handles even if its program is in no call. */
    int solicited;

    private final int depth;

    /** Whether bytes come to the exposed memory in the order of a stream, or anywhere. */
    private final boolean ordered;

    /** Bound of what this end exposes further; null: the device has reserves. */
    private Integer maxExposedBytes;

    /** Bytes of the reserve that this end may take; 0: none. */
    private int reserveBytes;

    private int secondReserveBytes;

    private boolean refused;
    private final List<Region> reservesOfPeer = new ArrayList<>();
    private boolean noMemory;

    /** No further region is longer, unless it has to be. */
    private int scarceBytes = Integer.MAX_VALUE;

    /** Key of the region the peer writes to. */
    private int latestKey = KEY;

    private FakeEndpoint peer;

    private final Queue<Operation> underWay = new ArrayDeque<>();
    private final Queue<Arrival> arrivals = new ArrayDeque<>();
    private final Queue<Receive> receives = new ArrayDeque<>();
    private int receivesPromised;

    /** Memory of this end's program. */
    private final ProgramGrants grants = new ProgramGrants();

    /** Serial numbers of the windows of this end, open or closed; empty: the device has none. */
    private long[] windows = {};

    private final Set<Long> open = new HashSet<>();

    private boolean direct = true;
    private long nextSerial = 1;

    /** Of the window of the peer that this end is within. */
    private long within;

    /** Runs before and behind each post: what another role does meanwhile. */
    private Runnable meanwhile = () -> {};

    private BooleanSupplier memoryFails = () -> false;

    private long writtenByPeer;
    private long readByProgram;
    private boolean error;
    private int sendBytes = Integer.MAX_VALUE;
    private int sendBytesUnderWay;
    private boolean full;
    private int awaited;

    /** Bytes for the next write, up to its position; without room this end stages nothing. */
    private ByteBuffer staged = ByteBuffer.allocate(0);

    private long stagedAddress;
    private int stagedKey;

    private FakeEndpoint(int exposedBytes, int depth, boolean ordered) {
        this.depth = depth;
        this.ordered = ordered;
        regions.add(new Region(KEY, exposedBytes));
    }

    /** {@return two connected ends of a stream} */
    static FakeEndpoint[] pair(int exposedBytesOfFirst, int exposedBytesOfSecond, int depth) {
        return pair(exposedBytesOfFirst, exposedBytesOfSecond, depth, true);
    }

    /** {@return two connected ends of a protocol that writes anywhere in the exposed memory} */
    public static FakeEndpoint[] unorderedPair(int exposedBytesOfFirst, int exposedBytesOfSecond, int depth) {
        return pair(exposedBytesOfFirst, exposedBytesOfSecond, depth, false);
    }

    private static FakeEndpoint[] pair(int ofFirst, int ofSecond, int depth, boolean ordered) {
        FakeEndpoint first = new FakeEndpoint(ofFirst, depth, ordered);
        FakeEndpoint second = new FakeEndpoint(ofSecond, depth, ordered);
        first.peer = second;
        second.peer = first;
        return new FakeEndpoint[] {first, second};
    }

    // The script.

    public int underWay() {
        return underWay.size();
    }

    /** Lets the oldest {@code count} requests of this end take effect. */
    public void deliver(int count) {
        for (int i = 0; i < count && !underWay.isEmpty(); i++) {
            Operation operation = underWay.remove();
            if (operation.bytes != null) {
                sendBytesUnderWay -= operation.bytes.length;
                peer.place(operation);
            }
            if (operation.arrival != null) {
                peer.arrivals.add(operation.arrival);
            }
        }
    }

    /** Gives this end a send buffer of {@code bytes}: so much can be under way, then writes must wait. */
    public void limitSendBuffer(int bytes) {
        sendBytes = bytes;
    }

    /** Has this end keep up to {@code bytes} for the next write. */
    void stageUpTo(int bytes) {
        staged = ByteBuffer.allocate(bytes);
    }

    /** Has every post find the send queue full, whatever {@link #sendRoom} says. */
    public void breakPromiseOfRoom() {
        full = true;
    }

    /** {@return how often the engine has found no room at the peer} */
    public int awaited() {
        return awaited;
    }

    /** Posts all receives of a peer that has no engine. */
    public void postReceives() {
        for (int i = 0; i < depth; i++) {
            postReceive(i, ByteBuffer.allocate(Long.BYTES), 0, 0);
        }
    }

    /** A peer that has no engine takes all messages of this end. {@return how many: credits to give back} */
    public int takenByPeer() {
        int count = underWay.size();
        deliver(count);
        for (int i = 0; i < count; i++) {
            peer.arrivals.remove();
            peer.receives.remove();
            peer.postReceive(i, ByteBuffer.allocate(Long.BYTES), 0, 0);
        }
        return count;
    }

    /** Puts an arrival of a peer that keeps to no rule. */
    public void inject(Arrival arrival) {
        arrivals.add(arrival);
    }

    /** The program has taken bytes out of the exposed memory. */
    void read(int count) {
        readByProgram += count;
    }

    /** {@return memory that the program lends to the stream} */
    public ProgramGrants grants() {
        return grants;
    }

    /** Has {@code other} run before and behind each post of this end. */
    void meanwhile(Runnable other) {
        meanwhile = other;
    }

    /** Neither end reaches memory of the other one's program. */
    void withoutDirect() {
        direct = false;
        peer.direct = false;
    }

    /** Gives both ends windows, before anybody uses them. */
    void windows(int count) {
        windows = new long[count];
        peer.windows = new long[count];
    }

    private void place(Operation operation) {
        if (grants.isKey(operation.key)) {
            grants.place(operation.bytes, operation.address & (1L << SERIAL_SHIFT) - 1, operation.key);
            return;
        }
        if (operation.key != latestKey) {
            check(operation.key == latestKey + 1, "write into a region that was left");
            latestKey = operation.key;
        }
        regions.get(operation.key - KEY).place(operation.bytes, operation.address);
    }

    /** Lets this end expose regions of up to {@code bytes}: neither end has a reserve. Before anybody uses it. */
    void limitExposed(int bytes) {
        maxExposedBytes = bytes;
        peer.maxExposedBytes = peer.maxExposedBytes == null ? 0 : peer.maxExposedBytes;
    }

    /** {@return memory that this end exposes, whatever it announces} */
    Region addRegion(int lengthBytes) {
        Region region = new Region(KEY + regions.size(), lengthBytes);
        regions.add(region);
        return region;
    }

    /** Gives this end a reserve to write to. */
    void reserve(int bytes) {
        reserve(bytes, 0);
    }

    void reserve(int bytes, int second) {
        reserveBytes = bytes;
        secondReserveBytes = second;
    }

    /** From now on no further region is longer than {@code mostBytes}, unless it has to be. */
    void scarceMemory(int mostBytes) {
        scarceBytes = mostBytes;
    }

    /** From now on there is no memory for a further region or a reserve, or there is again. */
    void noMemory(boolean none) {
        noMemory = none;
        refused &= none;
    }

    long addressOfLast() {
        return regions.get(regions.size() - 1).address();
    }

    int keyOfLast() {
        return KEY + regions.size() - 1;
    }

    /** {@return how often the peer has gone over to another region of this end} */
    int switches() {
        return latestKey - KEY;
    }

    /** {@return how many regions were exposed and not released yet} */
    long regionsInUse() {
        return regions.stream().filter(region -> !region.released).count();
    }

    /** Fails the test unless {@code holds}. */
    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    // The device.

    @Override
    public MoreRoom moreRoom() {
        return maxExposedBytes == null ? new Shared() : new Exposing();
    }

    private final class Shared implements MoreRoom.Shared {
        @Override
        public int reserveBytes() {
            return refused ? 0 : peer.reservesOfPeer.isEmpty() ? reserveBytes : secondReserveBytes;
        }

        @Override
        public RemoteRegion take(int mostBytes) {
            check(peer.reservesOfPeer.size() < 2, "a reserve taken twice");
            refused = noMemory;
            if (noMemory) {
                return null;
            }
            Region region = peer.addRegion(Math.min(mostBytes, reserveBytes()));
            peer.reservesOfPeer.add(region);
            return new RemoteRegion(region.address(), region.key, region.memory.capacity());
        }

        @Override
        public ByteBuffer takenByPeer(int generation) {
            return reservesOfPeer.size() < generation ? null : reservesOfPeer.get(generation - 1).memory;
        }

        @Override
        public void free(ByteBuffer memory, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                memory.put(i, POISON);
            }
        }

        @Override
        public void freeOfPeer(int key, int offset, int length) {
            free(peer.regions.get(key - KEY).memory, offset, length);
        }

        @Override
        public void measure() {}
    }

    private final class Exposing implements MoreRoom.Exposing {
        @Override
        public int maxBytes() {
            return maxExposedBytes;
        }

        @Override
        public ExposedRegion expose(int fewestBytes, int mostBytes) {
            return noMemory ? null : addRegion(Math.min(mostBytes, Math.max(fewestBytes, scarceBytes)));
        }
    }

    @Override
    public int send(ByteBuffer payload, int offset, int length, boolean asks) {
        WorkRequest request = new WorkRequest().send(payload, offset, length);
        return post(asks ? request.soliciting() : request);
    }

    @Override
    public int write(
            ByteBuffer payload, int offset, int length, long address, int key, @Nullable ProgramMemory memory) {
        return post(
                new WorkRequest().write(payload, offset, length, address, key).from(memory));
    }

    @Override
    public int writeWithImmediate(
            ByteBuffer payload,
            int offset,
            int length,
            long address,
            int key,
            @Nullable ProgramMemory memory,
            int immediate,
            boolean asks) {
        WorkRequest request = new WorkRequest().writeWithImmediate(payload, offset, length, address, key, immediate);
        return post(asks ? request.soliciting().from(memory) : request.from(memory));
    }

    private int post(WorkRequest request) {
        postCalls++;
        meanwhile.run();
        int posted = take(request);
        meanwhile.run();
        return posted;
    }

    private int take(WorkRequest request) {
        if (error) {
            return IN_ERROR;
        }
        if (full) {
            return QUEUE_FULL;
        }
        check(request.memory == null, "this device takes every payload when it is posted");
        boolean write = request.opcode != WorkRequest.Opcode.SEND;
        if (write && request.lengthBytes > 0 && memoryFails.getAsBoolean()) {
            throw new FailedMemory(null);
        }
        int before = write ? staged.position() : 0;
        byte[] payload = new byte[before + request.lengthBytes];
        staged.get(0, payload, 0, before);
        request.source.get(request.sourceOffset, payload, before, request.lengthBytes);
        if (before > 0) {
            check(request.remoteAddress == stagedAddress + before, "staged bytes are not continued");
            request.remoteAddress = stagedAddress;
            staged.clear();
        }
        if (write && peer.grants.isKey(request.rkey)) {
            check(payload.length <= sendRoom(), "write beyond the send buffer");
            sendBytesUnderWay += payload.length;
        } else if (write) {
            check(
                    request.rkey >= KEY && request.rkey - KEY < peer.regions.size(),
                    "write with a key that nobody has told");
            Region region = peer.regions.get(request.rkey - KEY);
            long end = request.remoteAddress + payload.length;
            check(
                    request.remoteAddress >= region.address() && end <= region.address() + region.memory.capacity(),
                    "write outside the exposed memory");
            check(payload.length <= sendRoom(), "write beyond the send buffer");
            sendBytesUnderWay += payload.length;
        }
        Arrival arrival = switch (request.opcode) {
            case SEND -> new Arrival(Opcode.RECV, Status.SUCCESS, payload, payload.length, 0);
            case RDMA_WRITE_WITH_IMM ->
                new Arrival(Opcode.RECV_RDMA_WITH_IMM, Status.SUCCESS, null, payload.length, request.immediate);
            default -> null;
        };
        if (arrival != null && request.solicited) {
            solicited++;
        }
        if (arrival != null) {
            check(peer.receivesPromised > 0, "receiver not ready: more messages than receives");
            peer.receivesPromised--;
        }
        underWay.add(new Operation(write ? payload : null, request.remoteAddress, request.rkey, arrival));
        return POSTED;
    }

    /** Has writes find that the program's memory is not there, whenever {@code fails} says so. */
    public void memoryFails(BooleanSupplier fails) {
        memoryFails = fails;
    }

    @Override
    public void awaitPeer() {
        awaited++;
    }

    @Override
    public int sendRoom() {
        return sendBytes - sendBytesUnderWay - staged.position();
    }

    @Override
    public boolean stage(ByteBuffer payload, int offset, int length, long address, int key) {
        check(length <= sendRoom(), "staged beyond the send buffer");
        if (error || staged.remaining() < length) {
            return false;
        }
        if (memoryFails.getAsBoolean()) {
            throw new FailedMemory(null);
        }
        if (staged.position() == 0) {
            stagedAddress = address;
            stagedKey = key;
        }
        check(address == stagedAddress + staged.position() && key == stagedKey, "staged bytes are not continued");
        byte[] bytes = new byte[length];
        payload.get(offset, bytes);
        staged.put(bytes);
        return true;
    }

    @Override
    public int postStaged() {
        return staged.position() == 0
                ? POSTED
                : post(new WorkRequest().write(staged, 0, 0, stagedAddress + staged.position(), stagedKey));
    }

    @Override
    public boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes) {
        receiveCalls++;
        if (receives.size() + count > depth) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            receives.add(new Receive(wrId + i, target, offset + i * lengthBytes, lengthBytes));
        }
        receivesPromised += count;
        return true;
    }

    @Override
    public boolean poll(WorkCompletion into) {
        Arrival arrival = arrivals.poll();
        if (arrival == null) {
            return false;
        }
        Receive receive = receives.remove();
        into.wrId = receive.wrId;
        into.status = arrival.status;
        into.opcode = arrival.opcode;
        into.byteLength = arrival.byteLength;
        into.immediate = arrival.immediate;
        if (arrival.payload != null) {
            check(arrival.payload.length <= receive.lengthBytes, "message longer than its receive");
            receive.target.put(receive.offset, arrival.payload);
        }
        return true;
    }

    @Override
    public boolean isEmpty() {
        return arrivals.isEmpty();
    }

    @Override
    public boolean hasFound() {
        return !isEmpty();
    }

    @Override
    public void requestNotification() {}

    @Override
    public String device() {
        return "fake";
    }

    @Override
    public QueuePair queuePair() {
        return this;
    }

    @Override
    public CompletionQueue completionQueue() {
        return this;
    }

    @Override
    public CompletionChannel completionChannel() {
        throw new UnsupportedOperationException("the stream layer does not sleep");
    }

    @Override
    public boolean inError() {
        return error;
    }

    private long lastWord;

    @Override
    public DisconnectReason peerReason() {
        return DisconnectReason.NONE;
    }

    @Override
    public long peerLastWord() {
        return peer.lastWord;
    }

    @Override
    public boolean delivered() {
        return error;
    }

    @Override
    public void disconnect(DisconnectReason reason, long word) {
        lastWord = word;
        error = true;
    }

    @Override
    public ByteBuffer exposed() {
        return regions.get(0).memory;
    }

    @Override
    public RemoteRegion remote() {
        Region region = peer.regions.get(0);
        return new RemoteRegion(region.address(), KEY, region.memory.capacity());
    }

    @Override
    public DirectAccess direct() {
        return direct ? this : null;
    }

    @Override
    public ProgramMemory lease(ByteBuffer memory, int offset, int length) {
        return grants.take(memory);
    }

    @Override
    public boolean reach(long address, int rkey, long length) {
        return peer.grants.isReachable(rkey);
    }

    @Override
    public MemoryWindows windows() {
        return windows.length == 0 ? null : this;
    }

    @Override
    public int count() {
        return windows.length;
    }

    @Override
    public long open(int window, long address) {
        open.remove(windows[window]);
        windows[window] = nextSerial++;
        open.add(windows[window]);
        return address | windows[window] << SERIAL_SHIFT;
    }

    @Override
    public boolean close(int window) {
        long serial = windows[window];
        open.remove(serial);
        return peer.within != serial && peer.underWay.stream().noneMatch(each -> each.serial() == serial);
    }

    @Override
    public boolean tryEnter(long address) {
        check(within == NOWHERE, "within two windows");
        within = address >>> SERIAL_SHIFT;
        meanwhile.run();
        if (within != NOWHERE && !peer.open.contains(within)) {
            leave();
            return false;
        }
        return true;
    }

    @Override
    public void leave() {
        within = NOWHERE;
    }

    @Override
    public ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        return grants.detach(memory, offset, length);
    }

    @Override
    public void takeAway(ByteBuffer memory, int offset, int length) {
        detach(memory, offset, length);
    }

    @Override
    public int receiveDepth() {
        return depth;
    }

    @Override
    public int version() {
        return StreamEngine.VERSION;
    }

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(0);
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return new InetSocketAddress(0);
    }

    @Override
    public void release() {}
}

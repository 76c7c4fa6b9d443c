package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayDeque;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.socket.ExsConnection;
import org.exsockets.socket.Outcome;
import org.exsockets.verbs.Endpoint;

/**
 * A STREAM socket. Receives and sends wait in two queues; whoever holds the lock moves on the first of each as far as the
 * connection lets it.
 */
final class StreamSocket extends EsSource implements ExsSocket {
    private final Connector connector;
    private final ArrayDeque<Operation> receives = new ArrayDeque<>();
    private final ArrayDeque<Operation> sends = new ArrayDeque<>();

    /** Null until connected. Written under the lock. */
    private volatile StreamWire wire;

    /** Why nothing works any more; null while it does. */
    private IOException broken;

    private boolean finishing;
    private boolean finished;

    /** To connect. */
    StreamSocket() {
        super(null);
        this.connector = new Connector(this, false, this::connected);
    }

    /** Accepted. */
    StreamSocket(StreamWire wire) {
        super(null);
        this.wire = wire;
        this.connector = null;
    }

    static StreamWire wireOf(Endpoint endpoint) {
        return new ExsWire(new ExsConnection(endpoint), endpoint.device());
    }

    @Override
    public SocketType type() {
        return SocketType.STREAM;
    }

    // Connecting.

    @Override
    public ExsSocket bind(InetSocketAddress local) throws IOException {
        lock.lock();
        try {
            ensureOpen();
            Connector.require(connector).bind(local);
            return this;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long connect(InetSocketAddress remote, int flags, EventQueue queue, Object context) throws IOException {
        Operations.checkFlags(flags, EXS_ONLY);
        lock.lock();
        try {
            ensureOpen();
            return Connector.require(connector).start(remote, flags == EXS_ONLY, queue, context);
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void connected(Connector.Result result) throws IOException {
        StreamWire established = result.endpoint() != null ? wireOf(result.endpoint()) : new TcpWire(result.tcp());
        for (Attachment each : attachments()) {
            established.attached(each);
        }
        wire = established;
    }

    // Operations.

    @Override
    public long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context)
            throws IOException {
        Operations.checkFlags(flags, 0);
        lock.lock();
        try {
            ensureConnected();
            if (finishing) {
                throw new IOException("Broken pipe: the output was shut down");
            }
            Operation operation = begin(Event.Type.SEND, memory, offset, length, queue, context);
            long id = operation.id;
            sends.add(operation);
            if (sends.peek() == operation) {
                moveSends();
            }
            heatIfLeft(operation, id);
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context)
            throws IOException {
        Operations.checkFlags(flags, MSG_WAITALL);
        if (length < 1) {
            throw new IllegalArgumentException("receive: out of range: length=" + length);
        }
        lock.lock();
        try {
            ensureConnected();
            Operation operation = begin(Event.Type.RECEIVE, memory, offset, length, queue, context);
            long id = operation.id;
            operation.waitAll = flags == MSG_WAITALL;
            receives.add(operation);
            if (receives.peek() == operation) {
                moveReceives();
            }
            heatIfLeft(operation, id);
            return id;
        } finally {
            lock.unlock();
        }
    }

    private void ensureConnected() throws IOException {
        ensureOpen();
        if (wire == null) {
            throw new NotYetConnectedException();
        }
    }

    private Operation begin(
            Event.Type type, ExsMemory memory, int offset, int length, EventQueue queue, Object context) {
        attach(Operations.queue(queue));
        return operations.begin(type, memory, offset, length, queue, context);
    }

    /** TCP must be asked for readiness when an operation begins to wait; memory wakes who has armed it, whatever waits. */
    private void heatIfLeft(Operation operation, long id) {
        if (operation.id == id && !wire.polled()) {
            heatCold();
        }
    }

    @Override
    public boolean cancel(long operation) {
        lock.lock();
        try {
            return cancel(receives, operation) || cancel(sends, operation);
        } finally {
            lock.unlock();
        }
    }

    private boolean cancel(ArrayDeque<Operation> pending, long id) {
        Operation found = find(pending, id);
        if (found == null) {
            return false;
        }
        pending.remove(found);
        operations.complete(found, Event.Status.CANCELLED, null);
        move();
        return true;
    }

    @Override
    public void shutdownOutput() throws IOException {
        lock.lock();
        try {
            ensureConnected();
            finishing = true;
            moveSends();
        } finally {
            lock.unlock();
        }
    }

    // Moving on.

    private void move() {
        if (wire == null) {
            if (connector != null) {
                connector.work();
            }
            return;
        }
        moveReceives();
        moveSends();
    }

    private void moveReceives() {
        try {
            for (Operation next; (next = receives.peek()) != null; ) {
                failIfBroken();
                int n = wire.read(rest(next));
                if (n == Outcome.WOULD_BLOCK) {
                    return;
                }
                if (n > 0) {
                    next.moved += n;
                    if (next.waitAll && next.moved < next.length) {
                        continue;
                    }
                }
                next.endOfStream = n < 0;
                receives.poll();
                operations.complete(next, Event.Status.DONE, null);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void moveSends() {
        try {
            for (Operation next; (next = sends.peek()) != null; ) {
                failIfBroken();
                if (next.moved < next.length) {
                    int n = wire.write(rest(next));
                    if (n < 0) {
                        return;
                    }
                    next.moved += n;
                    if (next.moved < next.length) {
                        continue; // Until the wire takes no more: the room may only have ended at an edge.
                    }
                }
                sends.poll();
                operations.complete(next, Event.Status.DONE, null);
            }
            if (finishing && !finished) {
                finished = true;
                wire.shutdownOutput();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private static ByteBuffer rest(Operation operation) {
        return operation.memory.limit(operation.offset + operation.length).position(operation.offset + operation.moved);
    }

    private void failIfBroken() throws IOException {
        if (broken != null) {
            throw broken;
        }
    }

    /** A connection that is reset has no use for anything under way; what begins later fails in the same way. */
    private void fail(IOException cause) {
        broken = cause;
        completeAll(receives, Event.Status.FAILED, cause);
        completeAll(sends, Event.Status.FAILED, cause);
    }

    // For queues.

    @Override
    public boolean hasNews() {
        StreamWire now = wire;
        return now != null && !isClosed() && now.hasNews();
    }

    @Override
    public void work() {
        lock.lock();
        try {
            if (!isClosed()) {
                move();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (!isClosed()) {
                if (wire != null) {
                    wire.arm();
                }
                move();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean polled() {
        StreamWire now = wire;
        return now != null && now.polled();
    }

    @Override
    public long wakeUpNs() {
        StreamWire now = wire;
        return now == null ? 0 : now.wakeUpNs();
    }

    @Override
    public void channels(Channels visitor) {
        lock.lock();
        try {
            if (wire != null) {
                wire.channels(visitor, !receives.isEmpty(), !sends.isEmpty());
            } else {
                connector.channels(visitor);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady() {
        StreamWire now = wire;
        if (now != null) {
            now.onReady();
        }
    }

    @Override
    public void abandon(PolledEventQueue queue) {
        lock.lock();
        try {
            dropAll(receives, queue);
            dropAll(sends, queue);
            if (connector != null) {
                connector.abandon(queue);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    void onAttached(Attachment attachment) {
        if (wire != null) {
            wire.attached(attachment);
        }
    }

    @Override
    void onForgotten(Attachment attachment) {
        if (wire != null) {
            wire.detached(attachment);
        }
    }

    // The rest.

    @Override
    public Export export(ExsMemory memory, int offset, int length) {
        throw noPlacement();
    }

    @Override
    public long unexport(Export export, EventQueue queue, Object context) {
        throw noPlacement();
    }

    @Override
    public long write(
            int export,
            long remoteOffset,
            ExsMemory memory,
            int offset,
            int length,
            int flags,
            EventQueue queue,
            Object context) {
        throw noPlacement();
    }

    private static UnsupportedOperationException noPlacement() {
        return new UnsupportedOperationException("exports and writes to them need a SEQPACKET socket");
    }

    @Override
    public InetSocketAddress localAddress() {
        StreamWire now = wire;
        return now != null ? now.localAddress() : connector.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        StreamWire now = wire;
        return now == null ? null : now.remoteAddress();
    }

    @Override
    public String transport() {
        StreamWire now = wire;
        return now == null ? null : now.transport();
    }

    @Override
    void onClose() {
        if (wire != null) {
            wire.close(!sends.isEmpty());
        }
        completeAll(receives, Event.Status.CLOSED, null);
        completeAll(sends, Event.Status.CLOSED, null);
        if (connector != null) {
            connector.close();
        }
    }

    @Override
    public void close() {
        closeOnce();
    }

    @Override
    public String toString() {
        StreamWire now = wire;
        return "ExsSocket[STREAM, "
                + (isClosed()
                        ? "closed"
                        : now == null
                                ? "not connected"
                                : now.localAddress() + " to " + now.remoteAddress() + " over " + now.transport())
                + "]";
    }
}

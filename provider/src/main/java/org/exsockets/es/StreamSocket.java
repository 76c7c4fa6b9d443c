package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.SocketType;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.verbs.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A STREAM socket. Receives and sends wait in two queues. The connection has all receives and fills them in order. Of
 * the sends, the thread that holds the lock writes the first as far as the connection allows.
 */
final class StreamSocket extends EsSocket<StreamWire> {
    /** Why sends fail, although receives may still get bytes; null: only {@link #broken} counts. */
    @GuardedBy("lock")
    private @Nullable IOException outputBroken;

    @GuardedBy("lock")
    private boolean finishing;

    @GuardedBy("lock")
    private boolean finished;

    /** To connect. */
    StreamSocket() {}

    /** Accepted. */
    StreamSocket(StreamWire wire) {
        established = wire;
    }

    @Override
    public SocketType type() {
        return SocketType.STREAM;
    }

    @Override
    @GuardedBy("lock")
    StreamWire connected(@Nullable Endpoint endpoint, @Nullable SocketChannel tcp) throws IOException {
        StreamWire wire = endpoint != null ? new ExsWire(endpoint) : TcpWire.over(Objects.requireNonNull(tcp));
        for (Attachment each : attachments) {
            wire.attached(each);
        }
        return wire;
    }

    // Operations.

    @Override
    public long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, 0);
        lock.lock();
        try {
            StreamWire wire = ensureConnected();
            if (finishing) {
                throw new IOException("Broken pipe: the output was shut down");
            }
            Operation operation = begin(Event.Type.SEND, memory, offset, length, queue, context);
            long id = operation.id;
            sends.add(operation);
            if (sends.peek() == operation) {
                moveSends(wire, nextSendIsPolled());
            }
            heatIfLeft(wire, operation, id);
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, MSG_WAITALL);
        if (length < 1) {
            throw new IllegalArgumentException("receive: out of range: length=" + length);
        }
        lock.lock();
        try {
            StreamWire wire = ensureConnected();
            Operation operation = begin(Event.Type.RECEIVE, memory, offset, length, queue, context);
            long id = operation.id;
            operation.waitAll = flags == MSG_WAITALL;
            if (broken != null) {
                operations.complete(operation, Event.Status.FAILED, broken);
                return id;
            }
            receives.add(operation);
            wire.post(operation);
            if (receives.peek() == operation) {
                moveReceives(wire);
            }
            heatIfLeft(wire, operation, id);
            return id;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Operation begin(
            Event.Type type, ExsMemory memory, int offset, int length, EventQueue queue, @Nullable Object context) {
        attach(Operations.queue(queue));
        return operations.begin(type, memory, offset, length, queue, context);
    }

    /** Over TCP a new wait may need another readiness of the channel; over EXS any arrival wakes the queue. */
    @GuardedBy("lock")
    private void heatIfLeft(StreamWire wire, Operation operation, long id) {
        if (operation.id == id && !wire.polled()) {
            heatCold();
        }
    }

    @Override
    public boolean cancel(long operation) {
        lock.lock();
        try {
            Operation send = find(sends, operation);
            Operation receive = send != null ? null : find(receives, operation);
            if (send != null) {
                sends.remove(send);
                operations.complete(send, Event.Status.CANCELLED, null);
            } else if (receive != null && connection().cancel(receive)) {
                receives.remove(receive);
                operations.complete(receive, Event.Status.CANCELLED, null);
            }
            if (!isClosed()) {
                move(nextSendIsPolled());
            }
            return send != null || receive != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        lock.lock();
        try {
            StreamWire wire = ensureConnected();
            finishing = true;
            moveSends(wire, nextSendIsPolled());
        } finally {
            lock.unlock();
        }
    }

    // Progress.

    @Override
    @GuardedBy("lock")
    void move() {
        move(true);
    }

    /** @param polled whether a thread comes back soon, even if nothing happens */
    @GuardedBy("lock")
    private void move(boolean polled) {
        StreamWire wire = established;
        if (wire != null) {
            moveReceives(wire);
            moveSends(wire, polled);
        } else {
            continueConnect();
        }
    }

    @GuardedBy("lock")
    private void moveReceives(StreamWire wire) {
        if (receives.isEmpty()) {
            wire.moveNothing();
            return;
        }
        try {
            failIfBroken();
            wire.moveReceives(receives, operations);
        } catch (IOException e) {
            fail(e);
        }
    }

    @GuardedBy("lock")
    private void moveSends(StreamWire wire, boolean polled) {
        try {
            for (Operation next; (next = sends.peek()) != null; ) {
                failIfBroken();
                if (outputBroken != null) {
                    throw outputBroken;
                }
                IOException failure = null;
                try {
                    if (!writeAll(wire, next, polled)) {
                        return;
                    }
                } catch (IOException | RuntimeException e) {
                    failure = next.memoryFailure(e);
                    if (failure == null) {
                        throw e;
                    }
                }
                sends.poll();
                operations.complete(next, failure == null ? Event.Status.DONE : Event.Status.FAILED, failure);
            }
            if (finishing && !finished && broken == null) {
                finished = true;
                wire.shutdownOutput();
            }
        } catch (IOException e) {
            failSends(wire, e);
        }
    }

    /** {@return whether all of a send is written; otherwise the wire takes no more now} */
    private static boolean writeAll(StreamWire wire, Operation send, boolean polled) throws IOException {
        while (send.moved < send.length) {
            int n = wire.write(send.rest(), polled && send.moved == 0);
            if (n < 0) {
                return false;
            }
            send.moved += n; // There may be more room: a write need not take all that fits.
        }
        return true;
    }

    /** Nothing can be sent any more. Receives still get what has arrived, then the end or a reset. */
    @GuardedBy("lock")
    private void failSends(StreamWire wire, IOException cause) {
        outputBroken = cause;
        operations.completeAll(sends, Event.Status.FAILED, cause);
        moveReceives(wire);
    }

    /** The starting thread may not come back; the dequeuing thread may sleep, and nothing would wake it. */
    @GuardedBy("lock")
    private boolean nextSendIsPolled() {
        Operation next = sends.peek();
        return next != null && isPolledBy(next.queue);
    }

    @GuardedBy("lock")
    private void failIfBroken() throws IOException {
        if (broken != null) {
            throw broken;
        }
    }

    /** The connection is reset: what is under way fails, and what begins later fails in the same way. */
    @GuardedBy("lock")
    private void fail(IOException cause) {
        broken = cause;
        connection().takeBack(List.copyOf(receives));
        operations.completeAll(receives, Event.Status.FAILED, cause);
        operations.completeAll(sends, Event.Status.FAILED, cause);
    }

    // For queues.

    @Override
    public void arm() {
        lock.lock();
        try {
            if (!isClosed()) {
                StreamWire wire = established;
                if (wire != null) {
                    wire.arm();
                }
                move(false);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void channels(Channels visitor) {
        lock.lock();
        try {
            StreamWire wire = established;
            if (wire != null) {
                wire.channels(visitor, !receives.isEmpty(), !sends.isEmpty());
            } else {
                connectChannel(visitor);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady() {
        StreamWire now = established;
        if (now != null) {
            now.onReady();
        }
    }

    @Override
    public void abandon(PolledEventQueue queue) {
        lock.lock();
        try {
            takeBack(queue);
            boolean torn = isTorn(receives, queue) || isTorn(sends, queue);
            operations.dropAll(receives, queue);
            operations.dropAll(sends, queue);
            abandonConnect(queue);
            if (torn) {
                reset();
            } else if (established != null && !isClosed()) {
                move(false); // The end of the stream may have waited for a dropped send.
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether dropping the operations of a queue leaves a gap in the stream, unnoticed by later ones} */
    private static boolean isTorn(ArrayDeque<Operation> pending, PolledEventQueue queue) {
        return pending.stream().anyMatch(each -> each.queue == queue && each.moved > 0);
    }

    @GuardedBy("lock")
    private void reset() {
        fail(new SocketException("Connection reset: an event queue was closed with a transfer under way"));
        connection().reset();
        heatCold(); // A channel is closed when the queues' selectors have no key of it.
    }

    @GuardedBy("lock")
    private void takeBack(PolledEventQueue queue) {
        List<Operation> some =
                receives.stream().filter(each -> each.queue == queue).toList();
        if (!some.isEmpty()) {
            connection().takeBack(some);
        }
    }

    @Override
    @GuardedBy("lock")
    void onAttached(Attachment attachment) {
        StreamWire wire = established;
        if (wire != null) {
            wire.attached(attachment);
        }
    }

    @Override
    @GuardedBy("lock")
    void onForgotten(Attachment attachment) {
        StreamWire wire = established;
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
    public long unexport(Export export, EventQueue queue, @Nullable Object context) {
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
            @Nullable Object context) {
        throw noPlacement();
    }

    private static UnsupportedOperationException noPlacement() {
        return new UnsupportedOperationException("exports and writes to them need a SEQPACKET socket");
    }

    @Override
    @GuardedBy("lock")
    void onClose() {
        StreamWire wire = established;
        if (wire != null) {
            wire.takeBack(List.copyOf(receives));
            wire.close(!sends.isEmpty());
        }
        operations.completeAll(receives, Event.Status.CLOSED, null);
        operations.completeAll(sends, Event.Status.CLOSED, null);
        closeConnect();
    }
}

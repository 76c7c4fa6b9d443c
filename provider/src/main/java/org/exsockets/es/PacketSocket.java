package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.SocketType;
import org.exsockets.connection.LiveConnections;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.es.queue.RegisteredMemory;
import org.exsockets.observe.Description;
import org.exsockets.packet.PacketEnding;
import org.exsockets.packet.PacketEngine;
import org.exsockets.packet.PacketTransfer;
import org.exsockets.verbs.Endpoint;
import org.jspecify.annotations.Nullable;

/** A SEQPACKET socket: a {@link PacketEngine} under this socket's lock. */
final class PacketSocket extends EsSocket<PacketConnection> implements LiveConnections.Live {
    private final MemoryExports exports = new MemoryExports(operations);

    /** To connect. */
    PacketSocket() {}

    /** Accepted. */
    PacketSocket(Endpoint endpoint) {
        established = connect(endpoint);
    }

    @SuppressWarnings("GuardedBy") // The engine is used under the lock only.
    private PacketConnection connect(Endpoint endpoint) {
        PacketConnection connection = new PacketConnection(endpoint, this::ended);
        LiveConnections.add(this);
        return connection;
    }

    @Override
    @GuardedBy("lock")
    PacketConnection connected(@Nullable Endpoint endpoint, @Nullable SocketChannel never) {
        return connect(Objects.requireNonNull(endpoint));
    }

    @Override
    public void describe(Description into) {
        into.put("state", "ESTAB");
        into.put("local", Description.address(localAddress()));
        into.put("peer", Description.address(remoteAddress()));
        into.put("device", String.valueOf(transport()));
    }

    @Override
    public SocketType type() {
        return SocketType.SEQPACKET;
    }

    // Operations.

    @Override
    public long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, 0);
        return send(0, 0, false, memory, offset, length, queue, context);
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
            @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, MSG_NOTIFY);
        if (export < 1) {
            throw new IllegalArgumentException("write: not the number of an export: export=" + export);
        }
        return send(export, remoteOffset, flags == MSG_NOTIFY, memory, offset, length, queue, context);
    }

    private long send(
            int export,
            long remoteOffset,
            boolean notify,
            ExsMemory memory,
            int offset,
            int length,
            EventQueue queue,
            @Nullable Object context)
            throws IOException {
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine;
            if (engine.finishing()) {
                throw new IOException("Broken pipe: the output was shut down");
            }
            Event.Type type = export == 0 ? Event.Type.SEND : Event.Type.WRITE;
            attach(Operations.queue(queue));
            Operation operation = operations.begin(type, memory, offset, length, queue, context);
            long id = operation.id;
            operation.export = export;
            operation.remoteOffset = remoteOffset;
            operation.notify = notify;
            if (broken == null && connection().hasNews()) {
                // An export or ADVERT that has arrived must not wait for a dequeuing thread.
                heatIf(connection().progress());
                look();
            }
            if (broken != null) {
                completeBroken(operation);
            } else {
                sends.add(operation);
                engine.send(operation);
                look();
            }
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, @Nullable Object context)
            throws IOException {
        Operations.checkFlags(flags, MSG_WAITALL);
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine;
            attach(Operations.queue(queue));
            Operation operation = operations.begin(Event.Type.RECEIVE, memory, offset, length, queue, context);
            long id = operation.id;
            if (broken != null) {
                completeBroken(operation);
                return id;
            }
            receives.add(operation);
            try {
                engine.receive(operation);
            } catch (IllegalArgumentException tooLong) {
                receives.remove(operation);
                operations.drop(operation);
                throw tooLong;
            }
            look();
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean cancel(long operation) {
        lock.lock();
        try {
            Operation found = find(receives, operation);
            found = found != null ? found : find(sends, operation);
            if (found != null) {
                connection().engine.cancel(found);
                look();
            }
            return found != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        lock.lock();
        try {
            ensureConnected().engine.finish();
            look();
        } finally {
            lock.unlock();
        }
    }

    // Direct placement.

    @Override
    public Export export(ExsMemory memory, int offset, int length) throws IOException {
        RegisteredMemory registration = RegisteredMemory.of(memory);
        registration.check(offset, length);
        if (length < 1) {
            throw new IllegalArgumentException("export: out of range: length=" + length);
        }
        lock.lock();
        try {
            PacketConnection connection = ensureConnected();
            if (broken != null) {
                throw new IOException("export: the connection has ended: " + broken.getMessage(), broken);
            }
            MemoryExports.MemoryExport export = exports.add(connection, registration, offset, length);
            look();
            return export;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long unexport(Export export, EventQueue queue, @Nullable Object context) throws IOException {
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine;
            MemoryExports.MemoryExport ours = exports.require(export);
            attach(Operations.queue(queue));
            Operation operation = operations.begin(Event.Type.UNEXPORT, queue, context);
            long id = operation.id;
            exports.takeBack(engine, ours, operation);
            look();
            return id;
        } finally {
            lock.unlock();
        }
    }

    // Progress.

    /** The engine has ended a transfer. */
    @GuardedBy("lock")
    private void ended(PacketTransfer transfer, PacketEnding how) {
        Operation operation = (Operation) transfer;
        (operation.type == Event.Type.RECEIVE ? receives : sends).remove(operation);
        connection().count(operation, operation.type == Event.Type.RECEIVE);
        operation.endOfStream = how == PacketEnding.END_OF_STREAM;
        switch (how) {
            case DONE, END_OF_STREAM -> operations.complete(operation, Event.Status.DONE, null);
            case CANCELLED -> operations.complete(operation, Event.Status.CANCELLED, null);
            case MEMORY_FAILED -> operations.complete(operation, Event.Status.FAILED, told(operation));
            case NO_EXPORT ->
                operations.complete(
                        operation,
                        Event.Status.FAILED,
                        new IOException("write: the peer exports no such memory: export=" + operation.export
                                + ", offset=" + operation.remoteOffset + ", length=" + operation.length));
        }
    }

    @SuppressWarnings("NullAway") // The engine says what has failed.
    private IOException told(Operation operation) {
        IOException failure = operation.memoryFailure(operation.failure);
        return failure != null ? failure : connection().truncated(operation.failure);
    }

    /** Looks whether the connection is lost. */
    @GuardedBy("lock")
    private void look() {
        if (broken == null) {
            IOException end = connection().ended();
            if (end != null) {
                breakOff(end);
            }
        }
    }

    /** The connection is lost; ends all operations. */
    @GuardedBy("lock")
    private void breakOff(IOException cause) {
        broken = cause;
        PacketEngine engine = connection().engine;
        connection().fence();
        for (PacketTransfer each; (each = engine.takeBack()) != null; ) {
            completeBroken((Operation) each);
        }
        receives.clear();
        sends.clear();
        exports.connectionLost(engine);
    }

    /** Ends an operation of a lost connection; a receive gets the end of the stream if that has come. No more comes. */
    @GuardedBy("lock")
    private void completeBroken(Operation operation) {
        operation.endOfStream =
                operation.type == Event.Type.RECEIVE && connection().engine.finArrived();
        if (operation.endOfStream) {
            operations.complete(operation, Event.Status.DONE, null);
        } else {
            operations.complete(operation, Event.Status.FAILED, broken);
        }
    }

    // For queues.

    @Override
    @GuardedBy("lock")
    void move() {
        if (established != null && broken == null) {
            heatIf(connection().progress());
            look();
        }
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (!isClosed() && established != null && broken == null) {
                heatIf(connection().arm());
                look();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void heatIf(boolean eventTaken) {
        if (eventTaken) {
            heatCold();
        }
    }

    @Override
    public void channels(Channels visitor) {
        lock.lock();
        try {
            if (established != null) {
                boolean over = broken != null || isClosed();
                visitor.accept(connection().events().selectable(), over ? 0 : SelectionKey.OP_READ);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever has the lock looks as well. */
    @Override
    public void lookForLosses() {
        if (lock.tryLock()) {
            try {
                if (!isClosed()
                        && established != null
                        && broken == null
                        && connection().mayHaveLosses()) {
                    attachments.forEach(Attachment::run);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void onReady() {
        PacketConnection now = established;
        if (now != null && now.takeEvents()) {
            lock.lock();
            try {
                heatCold(); // The other queues must look, too.
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void abandon(PolledEventQueue queue) {
        lock.lock();
        try {
            abandonConnect(queue);
            exports.abandon(queue);
            if (established != null && broken == null && !isClosed()) {
                abandon(List.copyOf(sends), queue);
                abandon(List.copyOf(receives), queue);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void abandon(List<Operation> pending, PolledEventQueue queue) {
        PacketEngine engine = connection().engine;
        for (Operation each : pending) {
            if (each.queue != queue || broken != null) {
                continue;
            }
            engine.cancel(each);
            if (!receives.contains(each) && !sends.contains(each)) {
                continue; // Its event has been dropped.
            }
            if (each.type != Event.Type.RECEIVE || engine.peerMayWrite(each)) {
                breakOff(new IOException("Connection reset: an event queue was closed with a transfer under way"));
            } else {
                operations.disown(each);
            }
        }
    }

    @Override
    @GuardedBy("lock")
    void onForgotten(Attachment attachment) {
        releaseIfUnused();
    }

    /** A queue that knows this socket reads the connection's memory without the lock. */
    @GuardedBy("lock")
    private void releaseIfUnused() {
        if (isClosed() && established != null && attachments.isEmpty()) {
            LiveConnections.remove(this);
            connection().release();
        }
    }

    // The rest.

    @Override
    @GuardedBy("lock")
    void onClose() {
        if (established != null) {
            connection().close();
            for (PacketTransfer each; (each = connection().engine.takeBack()) != null; ) {
                operations.complete((Operation) each, Event.Status.CLOSED, null);
            }
            receives.clear();
            sends.clear();
            exports.close(connection().engine);
            releaseIfUnused();
        }
        closeConnect();
    }
}

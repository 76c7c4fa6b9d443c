package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.SocketType;
import org.exsockets.packet.Exports;
import org.exsockets.packet.PacketEngine;
import org.exsockets.packet.PacketTransfer;
import org.exsockets.verbs.Endpoint;

/** A SEQPACKET socket: a {@link PacketEngine} under this socket's lock. */
final class PacketSocket extends EsSocket<PacketConnection> {
    private final ArrayDeque<Operation> unexports = new ArrayDeque<>(0);
    private final List<MemoryExport> exports = new ArrayList<>(0);

    /** Exports that ended when the connection was lost, until the program takes them back. */
    private final List<MemoryExport> exportsLost = new ArrayList<>(0);

    /** Whether the peer had ended its output when the connection was lost; valid once it is lost. */
    private boolean brokenBehindEnd;

    /** To connect. */
    PacketSocket() {
        super(true);
    }

    /** Accepted. */
    PacketSocket(Endpoint endpoint) {
        establish(connect(endpoint));
    }

    private PacketConnection connect(Endpoint endpoint) {
        return new PacketConnection(endpoint, this::ended);
    }

    @Override
    PacketConnection connected(Connector.Result result) {
        return connect(result.endpoint());
    }

    @Override
    boolean fallsBack() {
        return false;
    }

    @Override
    public SocketType type() {
        return SocketType.SEQPACKET;
    }

    // Operations.

    @Override
    public long send(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context)
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
            Object context)
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
            Object context)
            throws IOException {
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine();
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
            if (broken == null && established().hasNews()) {
                // An export or ADVERT that has arrived must not wait for a dequeuing thread.
                heatIf(established().progress());
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
    public long receive(ExsMemory memory, int offset, int length, int flags, EventQueue queue, Object context)
            throws IOException {
        Operations.checkFlags(flags, MSG_WAITALL);
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine();
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
                established().engine().cancel(found);
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
            ensureConnected().engine().finish();
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
            PacketEngine engine = ensureConnected().engine();
            if (broken != null) {
                throw new IOException("export: the connection has ended: " + broken.getMessage(), broken);
            }
            if (engine.exports().isFull()) {
                throw new IllegalStateException("export: too many: take another one back first");
            }
            ByteBuffer view = registration.hold();
            Exports.Local local = engine.exports().add(view, offset, length);
            if (local == null) {
                registration.letGo(view);
                throw new IOException("export: the peer cannot write there over device "
                        + established().transport()
                        + ": use memory of ExsMemory.allocate in whole pages of " + ExsMemory.PAGE_BYTES
                        + " bytes; over an adapter also see exs.register: offset=" + offset + ", length=" + length);
            }
            MemoryExport export = new MemoryExport(this, local, registration, view);
            exports.add(export);
            engine.flush();
            look();
            return export;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long unexport(Export export, EventQueue queue, Object context) throws IOException {
        lock.lock();
        try {
            PacketEngine engine = ensureConnected().engine();
            if (!(export instanceof MemoryExport ours) || !exports.contains(ours) && !exportsLost.contains(ours)) {
                throw new IllegalArgumentException("unexport: not an export of this socket: " + export);
            }
            attach(Operations.queue(queue));
            Operation operation = operations.begin(Event.Type.UNEXPORT, queue, context);
            long id = operation.id;
            if (exportsLost.remove(ours)) {
                operations.complete(operation, Event.Status.DONE, null); // The peer cannot write any more.
                return id;
            }
            if (!engine.exports().takeBack(ours.local(), () -> unexported(ours, operation, id))) {
                operations.drop(operation);
                throw new IllegalArgumentException("unexport: is being taken back already: " + export);
            }
            unexports.add(operation);
            engine.flush();
            look();
            return id;
        } finally {
            lock.unlock();
        }
    }

    /** The operation may have been dropped with its queue meanwhile, and the object be in use for another one. */
    private void unexported(MemoryExport export, Operation operation, long id) {
        forget(export);
        if (operation.id == id && unexports.remove(operation)) {
            operations.complete(operation, Event.Status.DONE, null);
        }
    }

    /** The connection is lost or closed, and the peer cannot write any more. */
    private void forgetExports() {
        while (established().engine().exports().takeAway() != null) {
            // Gives the registrations back.
        }
        exports.forEach(MemoryExport::letGo);
        exports.clear();
    }

    private void forget(MemoryExport export) {
        if (exports.remove(export)) {
            export.letGo();
        }
    }

    // Progress.

    /** The engine has ended a transfer; under the lock. */
    private void ended(PacketTransfer transfer, PacketEngine.Ending how) {
        Operation operation = (Operation) transfer;
        (operation.type == Event.Type.RECEIVE ? receives : sends).remove(operation);
        established().count(operation, operation.type == Event.Type.RECEIVE);
        if (operation.queue == null) {
            return; // Its queue is closed.
        }
        operation.endOfStream = how == PacketEngine.Ending.END_OF_STREAM;
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

    private IOException told(Operation operation) {
        IOException failure = operation.memoryFailure(operation.failure);
        return failure != null ? failure : established().truncated(operation.failure);
    }

    /** Under the lock: looks whether the connection is lost. */
    private void look() {
        if (broken == null) {
            IOException end = established().ended();
            if (end != null) {
                breakOff(end);
            }
        }
    }

    /** Under the lock: the connection is lost; ends all operations. */
    private void breakOff(IOException cause) {
        broken = cause;
        established().fence();
        brokenBehindEnd = established().engine().finArrived();
        for (PacketTransfer each; (each = established().engine().takeBack()) != null; ) {
            Operation operation = (Operation) each;
            if (operation.queue == null) {
                continue;
            }
            completeBroken(operation);
        }
        receives.clear();
        sends.clear();
        for (MemoryExport each : exports) {
            if (!each.local().isTakenBack()) {
                exportsLost.add(each);
            }
        }
        forgetExports();
        completeAll(unexports, Event.Status.DONE, null);
    }

    /**
     * Under the lock: ends an operation of a lost connection; a receive gets the end of the stream if that had come.
     */
    private void completeBroken(Operation operation) {
        operation.endOfStream = operation.type == Event.Type.RECEIVE && brokenBehindEnd;
        if (operation.endOfStream) {
            operations.complete(operation, Event.Status.DONE, null);
        } else {
            operations.complete(operation, Event.Status.FAILED, broken);
        }
    }

    // For queues.

    @Override
    public boolean hasNews() {
        PacketConnection now = established();
        return now != null && !isClosed() && now.hasNews();
    }

    @Override
    public void work() {
        lock.lock();
        try {
            if (isClosed()) {
                return;
            }
            if (established() == null) {
                connector.work();
            } else if (broken == null) {
                heatIf(established().progress());
                look();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (!isClosed() && established() != null && broken == null) {
                heatIf(established().arm());
                look();
            }
        } finally {
            lock.unlock();
        }
    }

    private void heatIf(boolean eventTaken) {
        if (eventTaken) {
            heatCold();
        }
    }

    @Override
    public boolean polled() {
        return established() != null;
    }

    @Override
    public long wakeUpNs() {
        PacketConnection now = established();
        return now == null ? 0 : now.events().wakeUpNs();
    }

    @Override
    public void channels(Channels visitor) {
        lock.lock();
        try {
            if (established() != null) {
                boolean over = broken != null || isClosed();
                visitor.accept(established().events().selectable(), over ? 0 : SelectionKey.OP_READ);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady() {
        PacketConnection now = established();
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
            if (connector != null) {
                connector.abandon(queue);
            }
            dropAll(unexports, queue);
            if (established() != null && broken == null && !isClosed()) {
                abandon(List.copyOf(sends), queue);
                abandon(List.copyOf(receives), queue);
            }
        } finally {
            lock.unlock();
        }
    }

    private void abandon(List<Operation> pending, PolledEventQueue queue) {
        PacketEngine engine = established().engine();
        for (Operation each : pending) {
            if (each.queue != queue || broken != null) {
                continue;
            }
            engine.cancel(each);
            boolean over = !receives.contains(each) && !sends.contains(each);
            if (over) {
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
    void onAttached(Attachment attachment) {
        // The attachment keeps the memory, see releaseIfUnused.
    }

    @Override
    void onForgotten(Attachment attachment) {
        releaseIfUnused();
    }

    /** Under the lock. A queue that knows this socket reads the connection's memory without the lock. */
    private void releaseIfUnused() {
        if (isClosed() && established() != null && attachments().isEmpty()) {
            established().release();
        }
    }

    // The rest.

    @Override
    void onClose() {
        if (established() != null) {
            established().close();
            for (PacketTransfer each; (each = established().engine().takeBack()) != null; ) {
                if (((Operation) each).queue != null) {
                    operations.complete((Operation) each, Event.Status.CLOSED, null);
                }
            }
            receives.clear();
            sends.clear();
            forgetExports();
            exportsLost.clear();
            completeAll(unexports, Event.Status.CLOSED, null);
            releaseIfUnused();
        }
        if (connector != null) {
            connector.close();
        }
    }
}

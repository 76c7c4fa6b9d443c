package org.exsockets.es;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.api.Event;
import org.exsockets.api.Export;
import org.exsockets.api.ExsMemory;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.es.queue.RegisteredMemory;
import org.exsockets.packet.Exports;
import org.exsockets.packet.PacketEngine;

/** The exports of a packet socket, and its operations that take exports back. Guarded by the socket's lock. */
final class MemoryExports {
    /** One export; holds its memory until it is taken back. */
    record MemoryExport(Exports.Local local, RegisteredMemory registration) implements Export {
        @Override
        public int number() {
            return local.number;
        }

        @Override
        public int length() {
            return local.length;
        }

        /** The peer cannot write there any more. */
        private void letGo() {
            registration.letGo(local.memory);
        }
    }

    private final Operations operations;

    /** What takes an export back, until the peer has confirmed that. */
    private final ArrayDeque<Operation> unexports = new ArrayDeque<>(0);

    private final List<MemoryExport> exports = new ArrayList<>(0);

    /** Exports that ended when the connection was lost, until the program takes them back. */
    private final List<MemoryExport> lost = new ArrayList<>(0);

    MemoryExports(Operations operations) {
        this.operations = operations;
    }

    /**
     * {@return a new export, of which the peer is told before anything that is sent later}
     *
     * @throws IOException if the peer cannot write there
     * @throws IllegalStateException if there are too many exports, or the memory is closed
     */
    MemoryExport add(PacketConnection connection, RegisteredMemory registration, int offset, int length)
            throws IOException {
        PacketEngine engine = connection.engine;
        if (engine.exports().isFull()) {
            throw new IllegalStateException("export: too many: take another one back first");
        }
        ByteBuffer view = registration.hold();
        Exports.Local local = engine.exports().add(view, offset, length);
        if (local == null) {
            registration.letGo(view);
            throw new IOException("export: the peer cannot write there over device "
                    + connection.transport()
                    + ": use memory of ExsMemory.allocate in whole pages of " + ExsMemory.PAGE_BYTES
                    + " bytes; over an adapter also see exs.register: offset=" + offset + ", length=" + length);
        }
        MemoryExport export = new MemoryExport(local, registration);
        exports.add(export);
        engine.flush();
        return export;
    }

    /** {@return {@code export}} @throws IllegalArgumentException if it is not of this socket, or has been taken back */
    MemoryExport require(Export export) {
        if (!(export instanceof MemoryExport ours) || !exports.contains(ours) && !lost.contains(ours)) {
            throw new IllegalArgumentException("unexport: not an export of this socket: " + export);
        }
        return ours;
    }

    /**
     * Takes an export back. The operation ends when the peer has confirmed that, or at once if the connection is lost.
     *
     * @throws IllegalArgumentException if another operation does so already; then this one is dropped
     */
    void takeBack(PacketEngine engine, MemoryExport export, Operation operation) {
        if (lost.remove(export)) {
            operations.complete(operation, Event.Status.DONE, null); // The peer cannot write any more.
            return;
        }
        long id = operation.id;
        if (!engine.exports().takeBack(export.local(), () -> takenBack(export, operation, id))) {
            operations.drop(operation);
            throw new IllegalArgumentException("unexport: is being taken back already: " + export);
        }
        unexports.add(operation);
        engine.flush();
    }

    /** The operation may have been dropped with its queue meanwhile, and the object be in use for another one. */
    private void takenBack(MemoryExport export, Operation operation, long id) {
        if (exports.remove(export)) {
            export.letGo();
        }
        if (operation.id == id && unexports.remove(operation)) {
            operations.complete(operation, Event.Status.DONE, null);
        }
    }

    /** A queue is closed: drops its operations. */
    void abandon(PolledEventQueue queue) {
        operations.dropAll(unexports, queue);
    }

    /** The connection is lost, and the peer cannot write any more. */
    void connectionLost(PacketEngine engine) {
        exports.stream().filter(each -> !each.local().isTakenBack()).forEach(lost::add);
        letGo(engine);
        operations.completeAll(unexports, Event.Status.DONE, null);
    }

    /** The connection is closed, and the peer cannot write any more. */
    void close(PacketEngine engine) {
        letGo(engine);
        lost.clear();
        operations.completeAll(unexports, Event.Status.CLOSED, null);
    }

    private void letGo(PacketEngine engine) {
        while (engine.exports().takeAway() != null) {
            // Gives the registrations back.
        }
        exports.forEach(MemoryExport::letGo);
        exports.clear();
    }
}

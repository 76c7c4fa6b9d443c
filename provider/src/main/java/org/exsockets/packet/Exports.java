package org.exsockets.packet;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.wire.PacketMessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Memory that each end of a packet connection lets the other write to.
 *
 * <p>All fields are guarded by the lock of the engine's owner. Threads of the peer write to memory of {@link #locals}
 * at any time after the EXPORT, until the peer's UNEXPORTED or {@link #fence}. So only after one of these an export
 * leaves {@link #locals}, and its memory goes back to the program.
 */
public final class Exports {
    /** Exports an end may have at a time, including those taken back but not yet confirmed. */
    static final int MAX_EXPORTS = 4096;

    /** Memory of the peer. */
    record Import(int number, long address, int rkey, long length, boolean reachable) {}

    /** Memory of this end. */
    public static final class Local {
        public final int number;
        public final ByteBuffer memory;
        private final int offset;
        public final int length;
        private final ProgramMemory registration;
        private boolean takenBack;
        private @Nullable Runnable onTakenBack;

        private Local(int number, ByteBuffer memory, int offset, int length, ProgramMemory registration) {
            this.registration = registration;
            this.number = number;
            this.memory = memory;
            this.offset = offset;
            this.length = length;
        }

        /** {@return whether it is being taken back, or has been by {@link #takeBack}} */
        public boolean isTakenBack() {
            return takenBack;
        }
    }

    private final PacketLink link;
    private final List<Local> locals = new ArrayList<>(0);
    private final List<Import> imports = new ArrayList<>(0);

    /** Numbers of exports that the peer has taken back and that have not been confirmed. */
    private final ArrayDeque<Integer> unexportedDue = new ArrayDeque<>(0);

    /** Exports of this end that the peer is to be told of: new, or taken back. */
    private final ArrayDeque<Local> localDue = new ArrayDeque<>(0);

    private int lastNumber;
    private int lastImported;

    Exports(PacketLink link) {
        this.link = link;
    }

    /** {@return whether no more can be exported before another one has been taken back, or ever} */
    public boolean isFull() {
        return locals.size() == MAX_EXPORTS || lastNumber == Integer.MAX_VALUE;
    }

    /** Unless {@link #isFull}. {@return the export, announced by the next flush; null: the peer cannot write there} */
    public @Nullable Local add(ByteBuffer memory, int offset, int length) {
        DirectAccess direct = link.direct;
        ProgramMemory registered = direct == null ? null : direct.leaseWhole(memory, offset, length);
        if (registered == null) {
            return null;
        }
        if (registered.advertisable(memory, offset, length) < length) {
            registered.release();
            return null;
        }
        Local added = new Local(++lastNumber, memory, offset, length, registered);
        locals.add(added);
        localDue.add(added);
        return added;
    }

    /**
     * Takes an export back; the peer is told by the next flush.
     *
     * @param onTakenBack runs when the peer does not write there any more
     * @return false if it is not exported, or taken back already
     */
    public boolean takeBack(Local export, Runnable onTakenBack) {
        if (!locals.contains(export) || export.takenBack) {
            return false;
        }
        export.takenBack = true;
        export.onTakenBack = onTakenBack;
        localDue.add(export);
        return true;
    }

    /** Removes an export, as the connection has ended. {@return the next one of this end; null if none is left} */
    public @Nullable Local takeAway() {
        if (locals.isEmpty()) {
            return null;
        }
        Local taken = locals.remove(locals.size() - 1);
        taken.registration.release();
        return taken;
    }

    /** Takes all exports away from the peer. */
    void fence() {
        for (Local each : locals) {
            Objects.requireNonNull(link.direct).takeAway(each.memory, each.offset, each.length);
        }
    }

    boolean hasLocal(int number, long offset, long length) {
        Local local = local(number);
        return local != null && offset >= 0 && length >= 0 && length <= local.length - offset;
    }

    private @Nullable Local local(int number) {
        for (int i = 0; i < locals.size(); i++) {
            if (locals.get(i).number == number) {
                return locals.get(i);
            }
        }
        return null;
    }

    /** {@return where to write; null if the peer has no such export, or it cannot be written to, or not so far} */
    @Nullable
    Import find(int number, long offset, int length) {
        for (int i = 0; i < imports.size(); i++) {
            Import each = imports.get(i);
            if (each.number == number) {
                return each.reachable && offset >= 0 && length <= each.length - offset ? each : null;
            }
        }
        return null;
    }

    boolean due() {
        return !unexportedDue.isEmpty() || !localDue.isEmpty();
    }

    /** Tells the peer what is due. {@return whether anything was sent} */
    boolean flush() {
        boolean any = false;
        while (due() && link.credits.tryTake()) {
            any = true;
            if (!unexportedDue.isEmpty()) {
                link.send(PacketMessageDescriptor.UNEXPORTED, unexportedDue.poll(), 0);
                continue;
            }
            Local next = localDue.poll();
            // An export that was taken back before it was announced is in the queue twice.
            if (!next.takenBack || localDue.contains(next)) {
                long address = next.registration.remoteAddress(next.memory, next.offset);
                link.send(
                        PacketMessageDescriptor.EXPORT,
                        next.number,
                        0,
                        address,
                        next.registration.rkey(),
                        0,
                        next.length);
            } else {
                link.send(PacketMessageDescriptor.UNEXPORT, next.number, 0);
                if (!link.rules.awaitsUnexported()) {
                    confirmed(next);
                }
            }
        }
        return any;
    }

    // What arrives.

    void onExport(int number, long address, int rkey, long length) {
        if (number != lastImported + 1 || imports.size() + unexportedDue.size() == MAX_EXPORTS) {
            link.violation("export out of turn, or one too many", number);
        } else if (length < 1 || length > Integer.MAX_VALUE) {
            link.violation("export of impossible length", length);
        } else {
            lastImported = number;
            boolean reachable = link.direct != null && link.direct.reach(address, rkey, length);
            imports.add(new Import(number, address, rkey, length, reachable));
        }
    }

    void onUnexport(int number) {
        for (int i = 0; i < imports.size(); i++) {
            if (imports.get(i).number == number) {
                if (link.rules.forgetsExport()) {
                    imports.remove(i);
                }
                unexportedDue.add(number);
                return;
            }
        }
        link.violation("export taken back that is not there", number);
    }

    void onUnexported(int number) {
        Local local = local(number);
        if (local != null && local.takenBack && !localDue.contains(local)) {
            confirmed(local);
        } else if (link.rules.awaitsUnexported()) {
            link.violation("answer to an export that was not taken back", number);
        }
    }

    private void confirmed(Local export) {
        locals.remove(export);
        export.registration.release();
        Objects.requireNonNull(export.onTakenBack).run();
    }
}

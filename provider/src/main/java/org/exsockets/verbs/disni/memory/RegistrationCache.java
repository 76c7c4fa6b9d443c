package org.exsockets.verbs.disni.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.exsockets.memory.DirectMemoryListener;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the program that is registered with one adapter, so that its peers write into it and the adapter sends from
 * it. Registering pins every page and costs as much as copying some hundred KiB. So registrations are kept until the
 * JVM frees the memory, the bound is reached, or the adapter is removed. Thread-safe.
 *
 * <p><b>Looking up</b> takes no lock and allocates nothing: {@link #table} is immutable and replaced as a whole, under
 * the monitor, which is held for no call of the device. A thread that finds a registration must still take it ({@link
 * Registration#tryTake}), which fails if it has been dropped meanwhile.
 *
 * <p><b>No registration outlives its memory.</b> Only memory whose end the JVM reports ({@link #onFree}, before it is
 * freed) is registered. Then:
 *
 * <ul>
 *   <li>A call that looks up, registers or uses a range holds a buffer over it until the transfer is complete, and the
 *       JVM frees only unreachable memory. So {@link #onFree} never comes while a call uses the range, nor between
 *       finding a registration and taking it, nor between registering and entering in the table.
 *   <li>{@link #onFree} drops each registration that it finds in the table, so that no call can take it, and
 *       deregisters it. Only then is the memory freed; the next call that registers takes the dropped ones out of the
 *       table. A registration that another thread has just taken out of the table to drop it is not found, but calls
 *       cannot find it either. The adapter may hold its pages some microseconds longer, with no call using it.
 *   <li>A program that frees memory explicitly while a call uses it is at fault. It loses its connection: the region is
 *       deregistered all the same, so that the peer's next write is refused instead of changing another owner's memory.
 * </ul>
 *
 * <p><b>No registration is found whose pages are not the program's.</b> A buffer in shared memory may get other pages
 * ({@link #onExchange}); a registration keeps those it was made with. Then it is taken out of the table. Calls that use
 * other bytes of it go on, and it is deregistered some time after the last of them. One that an owner of the memory may
 * hold for any time ({@link #takeAll}) is deregistered at once, and its connection lost. One that is being made
 * meanwhile is not entered, because its pages are unknown: {@link #exchanges} has changed.
 *
 * <p><b>Which peers know the key.</b> A key is good for every queue pair of the adapter, so a peer that has been told
 * it could write for as long as the registration lasts. So only peers of one host are told it, like that of a hidden
 * buffer. Memory that goes to a peer of another host is registered anew, if it is not in use any more.
 */
public final class RegistrationCache implements DirectMemoryListener {
    /** Long buffers are registered by chunks of twice this, so that at least this much of a request is covered. */
    static final int CHUNK_BYTES = 8 << 20;

    /** Adapters have at least some ten thousand regions, and connections need them, too. */
    static final int MAX_REGISTRATIONS = 1024;

    private final RegionRegistrar registrar;
    private final RegistrationBudget budget;
    private final LongSupplier clockNs;
    private final Predicate<ByteBuffer> watched;
    private final FirstUses firstUses = new FirstUses();

    /** Out of the table, because their pages are not the program's any more; in use when they were taken out. */
    @GuardedBy("this")
    private final List<Registration> retired = new ArrayList<>(0);

    /** How often {@link #onExchange} was called. */
    @GuardedBy("this")
    private long exchanges;

    /** Written under the monitor, as {@link #closed} is. */
    private volatile RegistrationTable table = RegistrationTable.EMPTY;

    private volatile boolean closed;

    /** Some in the table have been dropped, because their memory was freed. Set after the drop. */
    private volatile boolean unswept;

    /**
     * @param budget of all adapters together
     * @param watched whether the JVM reports the end of direct memory to {@link #onFree} before it frees it
     */
    public RegistrationCache(
            RegionRegistrar registrar, RegistrationBudget budget, Predicate<ByteBuffer> watched, LongSupplier clockNs) {
        this.registrar = registrar;
        this.budget = budget;
        this.watched = watched;
        this.clockNs = clockNs;
    }

    /**
     * Takes a registration of the program's memory: an existing one or, from the second use of the memory on, a new
     * one. {@link Registration#release} gives it back.
     *
     * @param offset bytes from the beginning of {@code memory}
     * @param length ≥ 1
     * @param peerHost the host whose peers are told the key; null for none
     * @return one that covers the byte at {@code offset} and what follows it up to {@code length} or
     *     {@link #CHUNK_BYTES}; null if there is none
     */
    public @Nullable Registration take(ByteBuffer memory, int offset, int length, @Nullable InetAddress peerHost) {
        return take(memory, offset, Math.min(length, CHUNK_BYTES), peerHost, false);
    }

    /** As {@link #take}, for all bytes and at their first use. */
    public @Nullable Registration takeAll(ByteBuffer memory, int offset, int length, @Nullable InetAddress peerHost) {
        return take(memory, offset, length, peerHost, true);
    }

    private @Nullable Registration take(
            ByteBuffer memory, int offset, int length, @Nullable InetAddress peerHost, boolean atOnce) {
        if (!memory.isDirect()) {
            return null;
        }
        long base = Verbs.address(memory);
        long from = base + offset;
        long to = from + length;
        Registration found = table.covering(from, to);
        if (found != null && found.tryTake(clockNs.getAsLong())) {
            if (atOnce) {
                found.hold();
            }
            if (peerHost == null || peerHost.equals(found.host()) || tell(found, peerHost)) {
                return found;
            }
            found.release();
            if (!drop(found)) {
                return null; // In use with another host.
            }
        }
        return register(memory, base, offset, to, peerHost, atOnce);
    }

    /** Makes a registration. Allocates; takes system calls if it registers. */
    private @Nullable Registration register(
            ByteBuffer memory, long base, int offset, long to, @Nullable InetAddress peerHost, boolean atOnce) {
        int chunk = offset & -CHUNK_BYTES;
        long start = base + chunk;
        long use = FirstUses.use(start, peerHost == null ? 0 : peerHost.hashCode());
        if (closed
                || !watched.test(memory)
                || !(atOnce ? !firstUses.isRefused(use) : firstUses.again(use))
                || budget.isPaused()) {
            return null;
        }
        if (unswept) {
            swept(); // Of memory that was freed at this address before.
        }
        long end = base + Math.min(memory.capacity(), chunk + 2L * CHUNK_BYTES);
        dropRetired();
        long exchangesBefore = exchanges();
        Registration made;
        try {
            made = end < to ? null : register(start, end);
            if (made == null) {
                // Only what is asked for, if the bound leaves no room for the whole chunk.
                made = register(base + offset, to);
            }
            if (made == null) {
                budget.onFull(to - base - offset);
                return null;
            }
        } catch (IOException e) {
            if (VerbsException.isShortage(e)) {
                budget.onRefused(to - base - offset, String.valueOf(e.getMessage()));
            } else {
                firstUses.refuse(use);
                Log.debug(
                        "memory of the program cannot be registered: " + e.getMessage() + ", length=" + (end - start));
            }
            return null;
        }
        Statistics.jvm().registrationMade();
        made.tryTake(clockNs.getAsLong());
        if (atOnce) {
            made.hold();
        }
        if (enter(made, exchangesBefore) && (peerHost == null || tell(made, peerHost))) {
            return made;
        }
        made.release();
        return null;
    }

    /** {@return a registration; null if the bound leaves no room} Throws if nothing can be dropped to make room. */
    private @Nullable Registration register(long start, long end) throws IOException {
        long bytes = RegistrationBudget.pageBytes(start, end);
        if (bytes > budget.maxBytes()) {
            return null;
        }
        while (table.size() >= MAX_REGISTRATIONS || !budget.tryReserve(bytes)) {
            if (!dropOldest()) {
                return null;
            }
        }
        int length = Math.toIntExact(end - start);
        while (true) {
            try {
                return new Registration(start, end, registrar.register(start, length), clockNs.getAsLong());
            } catch (IOException e) {
                if (!VerbsException.isShortage(e) || !dropOldest()) {
                    budget.giveBack(bytes);
                    throw e;
                }
            }
        }
    }

    /** Lets {@code peerHost} know the key, unless a peer of another host may still write to some of the memory. */
    private boolean tell(Registration registration, InetAddress peerHost) {
        List<Registration> others = new ArrayList<>(0);
        synchronized (this) {
            if (registration.host() != null) {
                return peerHost.equals(registration.host());
            }
            table.touching(registration.start, registration.end, each -> {
                if (each.host() != null && !each.host().equals(peerHost)) {
                    others.add(each);
                }
            });
            if (others.stream().anyMatch(Registration::inUse)) {
                return false;
            }
            registration.tell(peerHost);
        }
        // They can be taken meanwhile only for their own host, by a call that uses the memory at the same time.
        others.forEach(this::drop);
        return true;
    }

    /** Enters {@code made} in the table. {@return false if the cache is closed, or {@link #exchanges} has changed} */
    private boolean enter(Registration made, long exchangesBefore) {
        synchronized (this) {
            if (!closed && exchanges == exchangesBefore) {
                table = table.with(made);
                return true;
            }
        }
        made.drop();
        deregister(made);
        return false;
    }

    /** {@return whether it was unused, and is deregistered now} */
    private boolean drop(Registration registration) {
        if (!registration.tryDrop()) {
            return false;
        }
        synchronized (this) {
            table = table.without(registration);
        }
        deregister(registration);
        return true;
    }

    /** Drops the least recently used one. {@return whether there was an unused one} */
    private boolean dropOldest() {
        while (true) {
            RegistrationTable now = table;
            Registration oldest = null;
            for (int i = 0; i < now.size(); i++) {
                Registration each = now.get(i);
                if (each.isIdle() && (oldest == null || each.lastUseNs() - oldest.lastUseNs() < 0)) {
                    oldest = each;
                }
            }
            if (oldest == null) {
                return false;
            }
            if (drop(oldest)) {
                return true;
            }
        }
    }

    /** Deregisters unused registrations: connections need the locked memory. {@return whether there were any} */
    public boolean dropUnused() {
        boolean any = dropRetired();
        while (dropOldest()) {
            any = true;
        }
        return any;
    }

    private void deregister(Registration registration) {
        try {
            registration.region.deregister();
            budget.giveBack(RegistrationBudget.pageBytes(registration.start, registration.end));
        } catch (IOException e) {
            Log.warn(
                    "memory of the program stays registered with the adapter: " + e.getMessage() + ", " + registration);
        }
    }

    /** Needs no heap memory: buffers are also freed when there is none, and no registration may outlive them. */
    @Override
    public void onFree(long address, long lengthBytes) {
        RegistrationTable now = table;
        for (int i = now.last(address + lengthBytes); now.anyReaches(i, address); i--) {
            Registration each = now.get(i);
            if (each.end > address) {
                boolean used = each.inUse();
                if (each.drop()) {
                    unswept = true;
                    deregister(each);
                }
                if (used) {
                    Log.warn("memory was freed while a transfer was using it: " + each);
                }
            }
        }
    }

    /** {@return the table, without dropped registrations} The thread that drops one takes it out of the table later. */
    synchronized RegistrationTable swept() {
        unswept = false; // Before the look: what is dropped meanwhile is for the next one.
        table = table.withoutDropped();
        return table;
    }

    @Override
    public void onExchange(long address, long lengthBytes) {
        synchronized (this) {
            exchanges++;
        }
        for (Registration each : outOfTable(address, address + lengthBytes)) {
            if (each.isHeld() ? each.drop() : each.tryDrop()) {
                deregister(each);
            } else {
                retire(each);
            }
        }
    }

    /** Takes the registrations that have any of these bytes out of the table. {@return them} */
    private List<Registration> outOfTable(long start, long end) {
        if (!table.touches(start, end)) {
            return List.of();
        }
        List<Registration> out = new ArrayList<>(1);
        synchronized (this) {
            table.touching(start, end, out::add);
            for (Registration each : out) {
                table = table.without(each);
            }
        }
        return out;
    }

    private synchronized void retire(Registration registration) {
        retired.add(registration);
    }

    private synchronized long exchanges() {
        return exchanges;
    }

    /** Deregisters the retired ones that are not in use any more. {@return whether there were any} */
    private boolean dropRetired() {
        List<Registration> unused = new ArrayList<>(0);
        synchronized (this) {
            retired.removeIf(each -> each.tryDrop() && unused.add(each) || !each.inUse());
        }
        unused.forEach(this::deregister);
        return !unused.isEmpty();
    }

    /** Deregisters everything, for good; after the adapter's last queue pair has been destroyed. */
    public void close() {
        RegistrationTable last;
        synchronized (this) {
            closed = true;
            last = table;
            table = RegistrationTable.EMPTY;
        }
        dropRetired();
        for (int i = 0; i < last.size(); i++) {
            if (last.get(i).drop()) {
                deregister(last.get(i));
            }
        }
    }
}

package org.exsockets.verbs.disni;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.exsockets.memory.DirectMemoryListener;
import org.exsockets.observe.Log;

/**
 * Memory of the program that is registered with one adapter, so that its peers write into it and the adapter sends from
 * it. Registering pins every page and costs as much as copying some hundred KiB, so registrations are kept: until the JVM
 * frees the memory, the bound is reached, or the adapter goes. Thread-safe.
 *
 * <p><b>Looking up</b> takes no lock and allocates nothing: {@link #table} is immutable and replaced as a whole, under
 * {@link #lock}, which is held for no call of the device. A look that finds a registration still has to take it
 * ({@link Registration#tryTake}), which fails when it has been dropped meanwhile.
 *
 * <p><b>No registration outlives its memory.</b> Only memory is registered whose end the JVM tells ({@link #onFree} before
 * it is freed; {@link Watch}). Then:
 *
 * <ul>
 *   <li>Whoever looks up, registers or uses a range holds a buffer over it, until the transfer is over. The JVM frees what
 *       nobody can reach any more. So {@link #onFree} never comes while a call uses the range, nor between a look at the
 *       table and the taking of what was found, nor between registering and entering in the table.
 *   <li>What {@link #onFree} finds in the table it drops, so that nobody can take it, and deregisters before it returns, and only then is the memory
 *       freed; whoever registers next takes it out of the table. What it does not find, because another thread has just taken it out to drop it, nobody
 *       can find either; the adapter may hold the pages for some microseconds longer, in which nobody knows their key.
 *   <li>A program that frees memory explicitly while a call uses it has lost anyway. Here it loses its connection: the
 *       region is deregistered all the same, so that the peer's next write is refused instead of landing in memory that is
 *       somebody else's.
 * </ul>
 *
 * <p><b>No registration is found whose pages are not the program's.</b> A buffer in shared memory may get other pages ({@link
 * #onExchange}); a registration keeps those it was made with. It is taken out of the table then. Calls that use other bytes of
 * it go on, and it is deregistered some time after the last of them; one that an owner of the memory holds for as long as it
 * pleases ({@link #takeAll}) is deregistered at once, and its connection lost. One that is being made meanwhile, of which nobody
 * can tell which pages it has, is not entered: {@link #exchanges} has changed.
 *
 * <p><b>Whose peers know the key.</b> A key is good for every queue pair of the adapter, so a peer that has been told it
 * could write for as long as the registration lasts. It is therefore told to peers of one host only, like that of a hidden
 * buffer; memory that goes to a peer of another host is registered anew, if nobody uses it any more.
 */
final class RegistrationCache implements DirectMemoryListener {
    /** Whether the JVM tells of the end of this memory, before it is freed, to {@link #onFree}. */
    @FunctionalInterface
    interface Watch {
        boolean covers(ByteBuffer direct);
    }

    /** Long buffers are registered by windows of twice this, so that what is asked for is covered to this length at least. */
    static final int WINDOW_BYTES = 8 << 20;

    /** Adapters have some ten thousand regions at least, and connections need them, too. */
    static final int MAX_REGISTRATIONS = 1024;

    private final RegionRegistrar registrar;
    private final RegistrationBudget budget;
    private final LongSupplier clockNs;
    private final Watch watch;
    private final FirstUses firstUses = new FirstUses();

    /** Guards writing of {@link #table} and {@link #closed}. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Out of the table, as their pages are not the program's any more, and in use then. */
    @GuardedBy("lock")
    private final List<Registration> retired = new ArrayList<>(0);

    /** How often {@link #onExchange} was called. */
    @GuardedBy("lock")
    private long exchanges;

    private volatile RegistrationTable table = RegistrationTable.EMPTY;
    private volatile boolean closed;

    /** Some in the table have been dropped, as their memory was freed. Set behind their drop. */
    private volatile boolean unswept;

    RegistrationCache(RegionRegistrar registrar, RegistrationBudget budget, Watch watch, LongSupplier clockNs) {
        this.registrar = registrar;
        this.budget = budget;
        this.watch = watch;
        this.clockNs = clockNs;
    }

    /**
     * Takes a registration of the program's memory: one that is there, or, from the second use of the memory on, a new
     * one. {@link Registration#release} gives it back.
     *
     * @param offset bytes from the beginning of {@code memory}
     * @param length ≥ 1
     * @param peerHost whose peers are told the key; null if nobody is
     * @return one that covers the byte at {@code offset} and what follows it up to {@code length} or
     *     {@link #WINDOW_BYTES}; null if there is none
     */
    Registration take(ByteBuffer memory, int offset, int length, InetAddress peerHost) {
        return take(memory, offset, Math.min(length, WINDOW_BYTES), peerHost, false);
    }

    /** As {@link #take}, of all bytes and at their first use. */
    Registration takeAll(ByteBuffer memory, int offset, int length, InetAddress peerHost) {
        return take(memory, offset, length, peerHost, true);
    }

    private Registration take(ByteBuffer memory, int offset, int length, InetAddress peerHost, boolean atOnce) {
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

    /** What is not there. Allocates; takes system calls if it registers. */
    private Registration register(
            ByteBuffer memory, long base, int offset, long to, InetAddress peerHost, boolean atOnce) {
        int window = offset & -WINDOW_BYTES;
        long start = base + window;
        long use = FirstUses.use(start, peerHost == null ? 0 : peerHost.hashCode());
        if (closed
                || !watch.covers(memory)
                || !(atOnce ? !firstUses.isRefused(use) : firstUses.again(use))
                || budget.isPaused()) {
            return null;
        }
        sweep(); // Of memory that was freed at this address before.
        long end = base + Math.min(memory.capacity(), window + 2L * WINDOW_BYTES);
        dropRetired();
        long exchangesBefore = exchanges();
        Registration made;
        try {
            made = end < to ? null : register(start, end);
            if (made == null) {
                // What is asked for, where the bound leaves no room for the whole.
                made = register(base + offset, to);
            }
            if (made == null) {
                budget.onFull(to - base - offset);
                return null;
            }
        } catch (IOException e) {
            if (DisniDevice.isLockedMemory(e)) {
                budget.onRefused(to - base - offset, e.getMessage());
            } else {
                firstUses.refuse(use);
                Log.debug(
                        "memory of the program cannot be registered: " + e.getMessage() + ", length=" + (end - start));
            }
            return null;
        }
        budget.onRegistered();
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

    /**
     * {@return a registration; null if the bound leaves no room}
     *
     * @throws IOException if the kernel or the device refuses what is asked for, and there is nothing to make room
     */
    private Registration register(long start, long end) throws IOException {
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
                if (!DisniDevice.isLockedMemory(e) || !dropOldest()) {
                    budget.giveBack(bytes);
                    throw e;
                }
            }
        }
    }

    /** Lets the peers of {@code peerHost} know the key, unless one of another host may still write to some of the memory. */
    private boolean tell(Registration registration, InetAddress peerHost) {
        List<Registration> others = new ArrayList<>(0);
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
        // Nobody can take one of them meanwhile but with their own host, whose call uses the memory at the same time.
        others.forEach(this::drop);
        return true;
    }

    /** Has {@code made} found from now on. {@return false if the adapter is gone, or {@link #exchanges} not what it was} */
    private boolean enter(Registration made, long exchangesBefore) {
        lock.lock();
        try {
            if (!closed && exchanges == exchangesBefore) {
                table = table.with(made);
                return true;
            }
        } finally {
            lock.unlock();
        }
        made.drop();
        deregister(made);
        return false;
    }

    /** {@return whether it was in nobody's use, and is deregistered now} */
    private boolean drop(Registration registration) {
        if (!registration.tryDrop()) {
            return false;
        }
        leave(registration);
        deregister(registration);
        return true;
    }

    private void leave(Registration registration) {
        lock.lock();
        try {
            table = table.without(registration);
        } finally {
            lock.unlock();
        }
    }

    /** Drops the one that was used least lately. {@return whether there was one that nobody uses} */
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

    /** Deregisters what nobody uses: connections need the locked memory. {@return whether there was any} */
    boolean dropUnused() {
        boolean any = dropRetired();
        while (dropOldest()) {
            any = true;
        }
        return any;
    }

    private void deregister(Registration registration) {
        try {
            registration.region().deregister();
            budget.giveBack(RegistrationBudget.pageBytes(registration.start, registration.end));
        } catch (IOException e) {
            Log.warn(
                    "memory of the program stays registered with the adapter: " + e.getMessage() + ", " + registration);
        }
    }

    /** Needs no memory of the heap: buffers are freed when there is none, and a registration must not outlive them then either. */
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

    /** Takes those out of the table that {@link #onFree} has dropped, unless another thread is just about to. */
    private void sweep() {
        if (unswept) {
            swept();
        }
    }

    /** {@return the table, without what has been dropped} Who has dropped something may not have taken it out yet. */
    private RegistrationTable swept() {
        lock.lock();
        try {
            unswept = false; // Before the look: what is dropped meanwhile is for the next one.
            table = table.withoutDropped();
            return table;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onExchange(long address, long lengthBytes) {
        lock.lock();
        try {
            exchanges++;
        } finally {
            lock.unlock();
        }
        for (Registration each : outOfTable(address, address + lengthBytes)) {
            if (each.isHeld() ? each.drop() : each.tryDrop()) {
                deregister(each);
            } else {
                retire(each);
            }
        }
    }

    /** Takes the registrations out that have any of these bytes. {@return them} */
    private List<Registration> outOfTable(long start, long end) {
        if (!table.touches(start, end)) {
            return List.of();
        }
        List<Registration> out = new ArrayList<>(1);
        lock.lock();
        try {
            table.touching(start, end, out::add);
            for (Registration each : out) {
                table = table.without(each);
            }
        } finally {
            lock.unlock();
        }
        return out;
    }

    private void retire(Registration registration) {
        lock.lock();
        try {
            retired.add(registration);
        } finally {
            lock.unlock();
        }
    }

    private long exchanges() {
        lock.lock();
        try {
            return exchanges;
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters the retired that nobody uses any more. {@return whether there was any} */
    private boolean dropRetired() {
        List<Registration> unused = new ArrayList<>(0);
        lock.lock();
        try {
            retired.removeIf(each -> each.tryDrop() && unused.add(each) || !each.inUse());
        } finally {
            lock.unlock();
        }
        unused.forEach(this::deregister);
        return !unused.isEmpty();
    }

    /** The adapter goes, and its last queue pair is gone. */
    void close() {
        RegistrationTable last;
        lock.lock();
        try {
            closed = true;
            last = table;
            table = RegistrationTable.EMPTY;
        } finally {
            lock.unlock();
        }
        dropRetired();
        for (int i = 0; i < last.size(); i++) {
            if (last.get(i).drop()) {
                deregister(last.get(i));
            }
        }
    }

    int size() {
        return swept().size();
    }

    /** {@return whether any byte from {@code from} to below {@code to} is registered} */
    boolean touches(long from, long to) {
        return swept().touches(from, to);
    }
}

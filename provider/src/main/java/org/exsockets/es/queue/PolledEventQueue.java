package org.exsockets.es.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsSocket;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;
import org.exsockets.waiting.HotSet;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.waiting.SpinLoop;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events. The dequeuing thread works on the sources whose operations name this queue. It polls the hot set,
 * spins over it for an adaptive time, arms its members, and sleeps in a selector of the JDK. A source whose channel
 * becomes ready is hot again. Dequeuing costs O(hot), not O(attached).
 */
public final class PolledEventQueue implements EventQueue {
    private static final int MAX_CAPACITY = 1_000_000;

    /** Looks without news after which a hot source is armed. */
    private static final int MAX_IDLE_LOOKS = 4_000;

    /** After so many looks a source is worked on even without news: its peer may have been killed. */
    private static final int LOOKS_PER_WORK = 64;

    private static final long DESCRIPTOR_LOOK_NS = 20_000;

    /** The requested length of a nap; it takes some 60 µs, because the kernel rounds up. */
    private static final long NAP_NS = 5_000;

    /** The thread naps only if all peers are busy for at least so long. */
    private static final long QUIET_NS = 180_000;

    private static final long NS_PER_MS = 1_000_000;

    private final AtomicBoolean closed = new AtomicBoolean();

    final EventRing events;

    /** Serialises dequeuing threads. */
    private final ReentrantLock dequeueLock = new ReentrantLock();

    private final Selector inner;

    @SuppressWarnings("GuardedBy") // Only the dequeuing thread selects.
    private final Consumer<SelectionKey> onInner = this::onInner;

    private final News news = new News();

    @GuardedBy("dequeueLock")
    private final SpinLoop loop = new SpinLoop(SpinLoop.TRANSFERS_NS);

    @GuardedBy("dequeueLock")
    private final HotSet<Attachment> hot = new HotSet<>();

    @GuardedBy("dequeueLock")
    private long lastLookNs = System.nanoTime();

    private final Set<Attachment> attachments = ConcurrentHashMap.newKeySet();

    /** Sources to look at again; added by any thread. */
    private final ConcurrentLinkedQueue<Attachment> changes = new ConcurrentLinkedQueue<>();

    /**
     * The dequeuing thread is about to sleep in {@link #inner}, or sleeps. Dekker's handshake: it sets this, then looks
     * at {@link #events} and {@link #changes}; another thread adds to these, then looks at this.
     */
    private volatile boolean sleeping;

    private final AtomicReference<Runnable> notification = new AtomicReference<>();

    /** A look in the background is wanted: a thread that holds the lock looks when it leaves. */
    private final AtomicBoolean lookWanted = new AtomicBoolean();

    private final Runnable lookInBackground = this::lookInBackground;

    /** As {@link EventQueue#create}. */
    public PolledEventQueue(int capacity) throws IOException {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "event queue: out of range: capacity=" + capacity + ", limit=" + MAX_CAPACITY);
        }
        this.events = new EventRing(capacity, closed);
        this.inner = JdkChannels.openSelector();
    }

    // For sources.

    /** Counts an operation that begins. */
    void reserve() {
        ensureOpen();
        events.reserve();
    }

    /** Appends an event; its operation has been reserved. Any thread, under its socket's lock. */
    void deliver(Operation done, Event.Status status, @Nullable IOException failure) {
        if (!events.add(done, status, failure)) {
            if (done.accepted != null) {
                done.accepted.close(); // No thread knows it, so its lock is free.
            }
            return;
        }
        if (sleeping) {
            inner.wakeup();
        }
        tell();
    }

    private void tell() {
        Runnable callback = notification.get();
        if (callback != null && notification.compareAndSet(callback, null)) {
            callback.run();
        }
    }

    /** {@return the attachment by which this queue polls the source from now on} */
    public Attachment attach(Pollable source) {
        Attachment attachment = new Attachment(this, source);
        attachments.add(attachment);
        if (closed.get()) {
            attachments.remove(attachment);
            throw closedNow();
        }
        heat(attachment);
        return attachment;
    }

    /** Makes the dequeuing thread look at a source. Any thread. */
    void heat(Attachment attachment) {
        if (!attachment.changed) {
            attachment.changed = true;
            changes.add(attachment);
        }
        if (sleeping) {
            inner.wakeup();
        } else if (notification.get() != null) {
            lookLater();
        }
    }

    private void lookLater() {
        try {
            ProgressThread.get().submit(lookInBackground);
        } catch (IOException e) {
            tell(); // One notification too many is better than none.
        }
    }

    /** A source is closed: detaches it, now or when the dequeuing thread gets there. */
    public void forget(Attachment attachment) {
        heat(attachment);
        if (dequeueLock.tryLock()) {
            try {
                processChanges();
            } finally {
                dequeueLock.unlock();
                lookIfWanted();
            }
        }
    }

    // For programs.

    @Override
    public int dequeue(Event[] into, long timeout, TimeUnit unit) throws InterruptedException {
        ensureOpen();
        int taken = events.take(into);
        if (taken > 0 || into.length == 0) {
            return taken;
        }
        long timeoutNs = timeout < 0 ? Long.MAX_VALUE : unit.toNanos(timeout);
        long startNs = System.nanoTime();
        if (!dequeueLock.tryLock(timeoutNs, TimeUnit.NANOSECONDS)) {
            return events.take(into);
        }
        try {
            return dequeue(into, timeoutNs, startNs);
        } catch (IOException e) {
            throw new UncheckedIOException("event queue: cannot wait", e);
        } catch (ClosedSelectorException e) {
            throw closedNow();
        } finally {
            dequeueLock.unlock();
            lookIfWanted();
        }
    }

    @GuardedBy("dequeueLock")
    private int dequeue(Event[] into, long timeoutNs, long startNs) throws IOException, InterruptedException {
        boolean rested = false;
        while (true) {
            ensureOpen();
            lookAtDescriptors(System.nanoTime());
            processChanges();
            pollHot();
            int taken = events.take(into);
            if (taken > 0) {
                return taken;
            }
            long leftNs = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return 0;
            }
            if (!rested && leftNs > QUIET_NS && quiet()) {
                rested = true;
                LockSupport.parkNanos(NAP_NS);
            } else if (!arrivesSoon(leftNs)) {
                sleep(leftNs);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void notifyOnce(Runnable callback) {
        ensureOpen();
        notification.set(callback);
        if (!events.isEmpty()) {
            tell();
        } else {
            lookInBackground();
        }
    }

    /**
     * Works on the hot sources, arms them, and has the background thread watch all channels. For the thread that asks
     * for a notification, a thread that leaves a dequeue meanwhile, and the background thread. If another thread holds
     * the lock, that thread looks once more.
     */
    void lookInBackground() {
        lookWanted.set(true);
        while (lookWanted.get() && notification.get() != null && !closed.get() && dequeueLock.tryLock()) {
            try {
                lookWanted.set(false);
                armAll();
            } finally {
                dequeueLock.unlock();
            }
        }
    }

    @GuardedBy("dequeueLock")
    private void armAll() {
        try {
            inner.selectNow(onInner);
            processChanges();
            for (int i = hot.size() - 1; i >= 0; i--) {
                hot.get(i).source.work();
                cool(hot.get(i));
            }
            ProgressThread thread = ProgressThread.get();
            if (events.isEmpty()) {
                for (Attachment each : attachments) {
                    each.watch(thread);
                }
            } else {
                tell();
            }
        } catch (IOException e) {
            Log.warnOnce("event queue", "event queue: cannot wait in the background: " + e.getMessage());
            tell();
        } catch (ClosedSelectorException closedMeanwhile) {
            Log.debug("event queue: closed while a notification was asked for");
        }
    }

    /** After {@link #dequeueLock} is released: does the work that others have left to its holder. */
    private void lookIfWanted() {
        if (notification.get() != null) {
            lookInBackground();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        inner.wakeup();
        for (Attachment each : attachments) {
            each.source.abandon(this);
        }
        dequeueLock.lock();
        try {
            for (Attachment each : attachments) {
                detach(each);
            }
            inner.close();
        } catch (IOException e) {
            Log.debug("event queue: close: " + e);
        } finally {
            dequeueLock.unlock();
        }
        events.clear().forEach(ExsSocket::close);
    }

    private void ensureOpen() {
        if (closed.get()) {
            throw closedNow();
        }
    }

    private static IllegalStateException closedNow() {
        return new IllegalStateException("event queue: closed");
    }

    // The dequeuing thread.

    @GuardedBy("dequeueLock")
    private void processChanges() {
        for (Attachment each; (each = changes.poll()) != null; ) {
            each.changed = false;
            if (!each.source.isClosed()) {
                heatNow(each);
            } else if (attachments.contains(each)) {
                detach(each);
                flushKeys();
            }
        }
    }

    @GuardedBy("dequeueLock")
    private void detach(Attachment attachment) {
        hot.remove(attachment);
        attachment.deregister(inner);
        attachments.remove(attachment);
        attachment.source.onDetached(attachment);
    }

    /** Removes cancelled keys, so that their descriptors are given back. */
    @GuardedBy("dequeueLock")
    private void flushKeys() {
        try {
            inner.selectNow(onInner);
        } catch (IOException e) {
            Log.debug("event queue: selectNow: " + e);
        }
    }

    @GuardedBy("dequeueLock")
    private void heatNow(Attachment attachment) {
        attachment.idleLooks = -1;
        hot.add(attachment);
        loop.raise(attachment.source.polling().wakeUpNs());
    }

    @GuardedBy("dequeueLock")
    private void onInner(SelectionKey key) {
        Attachment attachment = (Attachment) key.attachment();
        attachment.source.onReady();
        if (attachments.contains(attachment)) {
            heatNow(attachment);
        }
    }

    @GuardedBy("dequeueLock")
    private void lookAtDescriptors(long nowNs) throws IOException {
        if (nowNs - lastLookNs > DESCRIPTOR_LOOK_NS) {
            lastLookNs = nowNs;
            inner.selectNow(onInner);
        }
    }

    @GuardedBy("dequeueLock")
    private void pollHot() {
        for (int i = hot.size() - 1; i >= 0; i--) {
            Attachment each = hot.get(i);
            if (each.hasNews()) {
                each.source.work();
                each.idleLooks = 0;
            } else if (++each.idleLooks % LOOKS_PER_WORK == 0) {
                each.source.work();
            }
            if (!each.source.polling().polled() || each.idleLooks > MAX_IDLE_LOOKS) {
                cool(each);
            }
        }
    }

    /** Removes a source from the hot set and asks it for a wake-up. */
    @GuardedBy("dequeueLock")
    private void cool(Attachment cooled) {
        hot.remove(cooled);
        cooled.register(inner);
        cooled.source.arm();
    }

    /** {@return whether it is worth looking again; false: time to sleep} */
    @GuardedBy("dequeueLock")
    private boolean arrivesSoon(long leftNs) throws IOException {
        if (hot.size() == 0) {
            return !events.isEmpty();
        }
        return loop.spin(news, leftNs);
    }

    /** What a spinning thread waits for. */
    private final class News implements SpinLoop.News<IOException> {
        @Override
        @GuardedBy("PolledEventQueue.this.dequeueLock")
        public boolean arrived() {
            return !events.isEmpty() || !changes.isEmpty() || hot.anyNews();
        }

        @Override
        @GuardedBy("PolledEventQueue.this.dequeueLock")
        public boolean lookAround(long nowNs) throws IOException {
            if (Thread.currentThread().isInterrupted() || closed.get()) {
                return true;
            }
            lookAtDescriptors(nowNs);
            return anyToLookAt();
        }
    }

    /** {@return whether every peer is busy for some time: then a spin would only take time from others} */
    @GuardedBy("dequeueLock")
    private boolean quiet() {
        for (int i = hot.size() - 1; i >= 0; i--) {
            if (hot.get(i).source.polling().quietNs() < QUIET_NS) {
                return false;
            }
        }
        return hot.size() > 0;
    }

    @GuardedBy("dequeueLock")
    private boolean anyToLookAt() {
        for (int i = hot.size() - 1; i >= 0; i--) {
            if (hot.get(i).idleLooks < 0) {
                return true;
            }
        }
        return false;
    }

    @GuardedBy("dequeueLock")
    private void sleep(long leftNs) throws IOException {
        for (int i = hot.size() - 1; i >= 0; i--) {
            cool(hot.get(i));
        }
        long sleptAtNs = System.nanoTime();
        sleeping = true;
        try {
            if (events.isEmpty() && changes.isEmpty() && !closed.get()) {
                inner.select(onInner, leftNs == Long.MAX_VALUE ? 0 : leftNs / NS_PER_MS + 1);
            }
        } finally {
            sleeping = false;
        }
        lastLookNs = System.nanoTime();
        loop.slept(lastLookNs - sleptAtNs);
    }
}

package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.SleepSign;
import org.exsockets.waiting.HotSet;
import org.exsockets.waiting.SpinLoop;
import org.jspecify.annotations.Nullable;

/**
 * Selects over EXS connections and everything that has a descriptor.
 *
 * <p>Descriptors (TCP channels, listeners, pipes, datagram channels, completion channels) are registered with an inner
 * JDK selector. EXS connections with recent activity are <em>hot</em>: a selection polls their memory. A selection that
 * finds nothing spins if that pays ({@link SpinLoop}), announces that it will sleep, polls once more, and sleeps. It
 * costs O(ready + hot).
 *
 * <p>{@link Registrations} keeps the keys, {@link HotKeys} polls the hot ones, {@link SignedKeys} has the {@link
 * SleepSign} that all peers see, {@link SelectorSleep} sleeps on its word or in the inner selector, and {@link
 * ReadyKeys} collects what a selection finds. This class has the order of these steps.
 *
 * <p>Locking is the JDK's: a selection synchronises on the selector, then on the set of selected keys. Everything not
 * marked otherwise belongs to the thread that holds the selector's monitor.
 */
public final class ExsSelector extends KeySelector {
    /** How long ready connections may keep a selection from looking at descriptors. */
    private static final long DESCRIPTOR_LOOK_NS = 20_000;

    /**
     * Consecutive sleeps that end early without news, after which the selection ends, too. A descriptor is the cause
     * then: the JDK ends a selection for what poll(2) reports even if no key is interested. Fewer may be late wake-ups.
     */
    private static final int SLEEPS_ENDED_BY_A_DESCRIPTOR = 3;

    private static final long FOREVER = -1;
    private static final long NS_PER_MS = 1_000_000;

    /** Longer time-outs would overflow the clock; a century is long enough. */
    private static final long MAX_TIMEOUT_MS = 100L * 365 * 24 * 3_600_000;

    private final Selector inner;
    /** Its bound is the highest wake-up cost of the registered connections. */
    private final SpinLoop loop = new SpinLoop(0);

    private final News news = new News();

    /** Guarded by its own monitor, which the program may hold, too. */
    private final SelectedKeys selected = new SelectedKeys(this);

    private final ReadyKeys found = new ReadyKeys(this, selected);

    private final HotSet<ExsKey> hot = new HotSet<>();

    private final SignedKeys signs = new SignedKeys(hot);

    private final Registrations registrations;
    private final HotKeys hotKeys;
    private final SelectorSleep sleeping;

    /** A wake-up that no selection has consumed yet; set by any thread. */
    private final AtomicBoolean wakeup = new AtomicBoolean();

    /** The background thread has reported, during a sleep on the word, that {@link #inner} may have news. */
    private volatile boolean rung;

    /** The thread in whose selection this is; null: none. */
    private volatile @Nullable Thread selecting;

    private final Consumer<SelectionKey> onInner = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            onInner(key);
        }
    };

    /** Consecutive sleeps that have ended early without news. */
    private int emptySleeps;

    /** A look at the descriptors has made a connection hot: it must be polled. */
    private boolean heated;

    /** A look at the descriptors is taking the events of a connection, which is polled next. */
    private boolean takingEvents;

    private long lastDescriptorLookNs;

    /** @param provider to which the selector belongs, as programs see it */
    public ExsSelector(SelectorProvider provider) throws IOException {
        super(provider);
        this.inner = JdkChannels.openSelector();
        this.registrations = new Registrations(this, inner, selected, hot, signs, loop);
        this.hotKeys = new HotKeys(hot, signs, registrations, found);
        this.sleeping = new SelectorSleep(inner, onInner, wakeup, registrations, signs, loop);
    }

    // Registration.

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, @Nullable Object attachment) {
        if (!(channel instanceof ExsChannel) && !ForeignChannels.supports(channel)) {
            throw new IllegalSelectorException();
        }
        ExsKey key = new ExsKey(this, channel, ops);
        key.attach(attachment);
        ensureOpen();
        registrations.add(key);
        onChanged(key);
        if (!isOpen()) {
            // In this order: the close finds the key among the selector's keys or the cancelled ones.
            key.cancel();
            registrations.takeBack(key);
            throw new ClosedSelectorException();
        }
        return key;
    }

    @Override
    void onChanged(ExsKey key) {
        registrations.ask(key);
    }

    @Override
    public void onSignal(ExsKey key) {
        if (Thread.currentThread() != selecting || !takingEvents) {
            onSourceChanged(key);
        }
    }

    @Override
    void onSourceChanged(ExsKey key) {
        registrations.change(key);
        sleeping.wake();
    }

    @Override
    void onRung(ExsKey key) {
        rung = true;
        onSignal(key);
    }

    @Override
    boolean isClosingInSelection() {
        return !isOpen() && selecting == Thread.currentThread();
    }

    // Selection.

    @Override
    public int selectNow() throws IOException {
        return selectWith(null, 0);
    }

    @Override
    public int select(long timeoutMs) throws IOException {
        return selectWith(null, limit(timeoutMs));
    }

    @Override
    public int select() throws IOException {
        return selectWith(null, FOREVER);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction, long timeoutMs) throws IOException {
        Objects.requireNonNull(keyAction);
        return selectWith(keyAction, limit(timeoutMs));
    }

    private static long limit(long timeoutMs) {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeoutMs == 0 ? FOREVER : timeoutMs;
    }

    @Override
    public int selectNow(Consumer<SelectionKey> keyAction) throws IOException {
        return selectWith(Objects.requireNonNull(keyAction), 0);
    }

    private int selectWith(@Nullable Consumer<SelectionKey> keyAction, long timeoutMs) throws IOException {
        synchronized (this) {
            ensureOpen();
            if (selecting != null) {
                throw new IllegalStateException("select in progress");
            }
            synchronized (selected) {
                found.action = keyAction;
                selecting = Thread.currentThread();
                try {
                    return selectLocked(timeoutMs);
                } finally {
                    found.end();
                    selecting = null;
                }
            }
        }
    }

    private int selectLocked(long timeoutMs) throws IOException {
        emptySleeps = 0;
        registrations.removeCancelled(cancelledKeys(), found.endedBy);
        registrations.takeInAsked();
        long endNs = timeoutMs > 0 ? System.nanoTime() + Math.min(timeoutMs, MAX_TIMEOUT_MS) * NS_PER_MS : 0;
        boolean last = timeoutMs == 0;
        while (true) {
            takeChanges();
            heated = false;
            hotKeys.poll();
            last = last || found.any || wakeup.get() || Thread.currentThread().isInterrupted() || !isOpen();
            if (last) {
                lookAtDescriptors(timeoutMs == 0);
                break;
            }
            boolean mayHaveNews = hot.size() > 0 && loop.spin(news, leftNs(timeoutMs, endNs));
            if (!mayHaveNews && sleep(timeoutMs, endNs)) {
                break;
            }
        }
        wakeup.set(false);
        registrations.removeCancelled(cancelledKeys(), found.endedBy);
        return found.tell();
    }

    /** Handles what other threads and peers have reported of keys. */
    private void takeChanges() {
        registrations.processChanges();
        signs.takeNews();
    }

    /** @param all whether to look at the program's own descriptors even if connections are ready */
    private void lookAtDescriptors(boolean all) throws IOException {
        long nowNs = System.nanoTime();
        if (!found.any || all && registrations.anyDescriptors() || nowNs - lastDescriptorLookNs > DESCRIPTOR_LOOK_NS) {
            lastDescriptorLookNs = nowNs;
            lookAtChannels(nowNs);
            takeChanges();
            pollHotAgain();
        }
    }

    private void lookAtChannels(long nowNs) throws IOException {
        reviewIfDue(nowNs);
        registrations.processChanges();
        if (registrations.needInner()) {
            registrations.enterInner();
        } else {
            heated |= registrations.lookUnwatched();
            if (registrations.unwatchedNs(nowNs) == 0) {
                registrations.watchAll();
            }
        }
        if (registrations.needInner() || registrations.anyDescriptors()) {
            rung = false;
            inner.selectNow(onInner);
        }
    }

    private void reviewIfDue(long nowNs) {
        if (signs.reviewInNs(nowNs) <= 0) {
            signs.review(nowNs);
            heated = true;
        }
    }

    /** Polls if nothing is ready yet, or if a descriptor has shown what came after the latest poll, such as a reset. */
    private void pollHotAgain() {
        if (!found.any || heated) {
            hotKeys.poll();
        }
    }

    private void onInner(SelectionKey innerKey) {
        ExsKey key = (ExsKey) innerKey.attachment();
        KeySource source = key.source;
        if (source == null) {
            return;
        }
        int ready;
        takingEvents = true;
        try {
            ready = source.onInnerReady(innerKey);
        } finally {
            takingEvents = false;
        }
        if (source.polled()) {
            signs.heat(key);
        }
        if (ready != 0) {
            found.add(key, ready);
        } else if (source.polled()) {
            heated = true;
        }
    }

    private static long leftNs(long timeoutMs, long endNs) {
        return timeoutMs > 0 ? endNs - System.nanoTime() : Long.MAX_VALUE;
    }

    /** What a spinning selection waits for. */
    private final class News implements SpinLoop.News<IOException> {
        @Override
        public boolean arrived() {
            return hot.anyNews() || registrations.hasChanges() || wakeup.get() || signs.hasNews();
        }

        @Override
        public boolean lookAround(long nowNs) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                return true;
            }
            if (nowNs - lastDescriptorLookNs <= DESCRIPTOR_LOOK_NS) {
                return false;
            }
            lastDescriptorLookNs = nowNs;
            lookAtChannels(nowNs);
            return found.any || heated || registrations.hasChanges();
        }
    }

    /** Announces the sleep, sleeps, and handles the news. {@return whether the selection is over} */
    private boolean sleep(long timeoutMs, long endNs) throws IOException {
        SleepSign.Place shown = sleeping.announce();
        boolean onWord = shown == SleepSign.Place.WORD;
        boolean told = false;
        try {
            hotKeys.arm(shown != null);
            if (found.any) {
                lookAtDescriptors(false);
                return true;
            }
            if (onWord && registrations.needInner()) {
                return false; // Some peer does not see the sign, or there is no background thread.
            }
            long leftNs = leftNs(timeoutMs, endNs);
            if (leftNs <= 0) {
                lookAtDescriptors(true);
                return true;
            }
            told = sleeping.sleep(onWord, leftNs);
            lastDescriptorLookNs = sleeping.endedNs;
        } finally {
            if (shown != null) {
                signs.sign().awake(); // Before the hot connections are polled.
            }
        }
        if (onWord && rung) {
            lookAtChannels(lastDescriptorLookNs);
        }
        reviewIfDue(lastDescriptorLookNs);
        boolean empty = !told && !wakeup.get() && !registrations.hasChanges() && !signs.hasNews();
        emptySleeps = empty ? emptySleeps + 1 : 0;
        takeChanges();
        pollHotAgain();
        return found.any
                || leftNs(timeoutMs, endNs) <= 0
                || empty && (anyCancelled() || anyClosed())
                || emptySleeps == SLEEPS_ENDED_BY_A_DESCRIPTOR;
    }

    /** {@return whether the descriptor of a cancelled key may have ended an empty sleep, as it ends the JDK's} */
    private boolean anyCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            return !cancelled.isEmpty();
        }
    }

    /** {@return the same for channels whose keys the closing thread is about to cancel} */
    private boolean anyClosed() {
        for (SelectionKey key : registrations.keys()) {
            if (!key.channel().isOpen()) {
                found.lose((ExsKey) key);
            }
        }
        return !found.endedBy.isEmpty();
    }

    @Override
    public Selector wakeup() {
        wakeup.set(true);
        sleeping.wake();
        return this;
    }

    // The rest.

    private void ensureOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        ensureOpen();
        return registrations.keys();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        ensureOpen();
        return selected;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        inner.wakeup();
        synchronized (this) {
            synchronized (selected) {
                registrations.removeAll(cancelledKeys());
                signs.close();
                sleeping.close();
                inner.close();
            }
        }
    }
}

package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.progress.HotSet;
import org.exsockets.progress.SpinLoop;
import org.exsockets.progress.WordPlace;
import org.exsockets.verbs.SleepSign;

/**
 * Selects over EXS connections and everything that has a descriptor.
 *
 * <p>Descriptors (TCP channels, listeners, pipes, datagram channels, completion channels) are registered with an inner
 * JDK selector. EXS connections with recent activity are <em>hot</em>: a selection polls their memory. A selection that
 * finds nothing spins if that pays ({@link SpinLoop}), announces that it will sleep, polls once more, and sleeps. It
 * costs O(ready + hot).
 *
 * <p>All peers see one {@link SleepSign}. The first completion from any of them wakes the selection, which then polls
 * all hot connections. A connection without news for long cools down: its peer also marks a cell of the sign, which
 * makes the connection hot again.
 *
 * <p>If there are only listeners and connections whose peers can wake it there, the selection sleeps on the word of the
 * sign. The connections are not registered with the inner selector then, and the background thread watches the
 * listeners and looks for killed peers. Otherwise all are registered with the inner selector, the selection sleeps
 * there, and peers send events to completion channels. Connections whose peers see no sign are armed one by one and are
 * no longer hot.
 *
 * <p>{@link Registrations} keeps the keys, {@link SignedKeys} the sign; this class selects.
 *
 * <p>Locking is the JDK's: a selection synchronises on the selector, then on the set of selected keys. Everything not
 * marked otherwise belongs to the thread that holds the selector's monitor.
 */
public final class ExsSelector extends AbstractSelector {
    /** Polls without news after which a hot connection cools down, so that it no longer slows the others. */
    private static final int MAX_IDLE_LOOKS = 4_000;

    /** The same for all hot connections together: with thousands of them each round of polls is expensive. */
    private static final int IDLE_LOOKS_OF_ALL = 64 * MAX_IDLE_LOOKS;

    private static final int MIN_IDLE_LOOKS = 16;

    /**
     * Sleeps without news after which a connection that shows the sign cools down: so many sleeps, with two or three
     * polls in each, cost about as much as an event.
     */
    private static final int IDLE_SLEEPS = 16;

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

    private final HotSet<ExsKey> hot = new HotSet<>();

    private final SignedKeys signs = new SignedKeys(hot);

    private final Registrations registrations;

    /** A wake-up that no selection has consumed yet; set by any thread. */
    private final AtomicBoolean wakeup = new AtomicBoolean();

    /**
     * Where the selecting thread sleeps or is about to; null: nowhere. Dekker's handshake: that thread writes this,
     * then reads {@link #wakeup} and the changes of {@link #registrations}; a waker writes those, then reads this.
     */
    private volatile Selector sleepsIn;

    /** The background thread has reported, during a sleep on the word, that {@link #inner} may have news. */
    private volatile boolean rung;

    /** On the word of the sign; null until it is needed. */
    private WordPlace wordPlace;

    private volatile Thread selecting;
    private final Consumer<SelectionKey> onInner = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            onInner(key);
        }
    };

    private Consumer<SelectionKey> action;

    /** Keys for the action, which runs at the end: by then all ready operations of each key are known. */
    private final ArrayList<ExsKey> toTell = new ArrayList<>();

    /** Keys of closed channels that end the selection. */
    private final ArrayList<ExsKey> endedBy = new ArrayList<>();

    private int updated;

    /** Counts selections, from 1 on. */
    private long selection;

    private boolean anyReady;

    /** Consecutive sleeps that have ended early without news. */
    private int emptySleeps;

    /** A look at the descriptors has made a connection hot: it must be polled. */
    private boolean heated;

    /** A look at the descriptors is taking the events of a connection, which is polled next. */
    private boolean takingEvents;

    private long lastDescriptorLookNs;

    ExsSelector(SelectorProvider provider) throws IOException {
        super(provider);
        this.inner = JdkChannels.openSelector();
        this.registrations = new Registrations(this, inner, selected, hot, signs, loop);
    }

    // Registration.

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
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

    /** The interest of {@code key} has changed, or the key is new. Any thread; takes effect at the next selection. */
    void onChanged(ExsKey key) {
        if (key.markChanged()) {
            registrations.ask(key);
        }
    }

    /**
     * An event of the connection behind {@code key} was taken. An armed key has lost its wake-up and must be polled.
     * Any thread, the selecting one included.
     */
    void onSignal(ExsKey key) {
        if (Thread.currentThread() != selecting || !takingEvents) {
            onSourceChanged(key);
        }
    }

    /** The channel behind {@code key} has another source now. Any thread, the selecting one included. */
    void onSourceChanged(ExsKey key) {
        registrations.change(key);
        wakeSleeper();
    }

    /** As {@link #onSignal}, and the inner selector may have news of {@code key}. */
    void onRung(ExsKey key) {
        rung = true;
        onSignal(key);
    }

    private void wakeSleeper() {
        Selector place = sleepsIn;
        if (place != null) {
            place.wakeup();
        }
    }

    /** {@return whether an action of the selection under way is closing this selector} Any thread. */
    boolean isClosingInSelection() {
        return !isOpen() && selecting == Thread.currentThread();
    }

    /** {@return whether the channel had the key; it never has a key that was taken back} */
    boolean deregisterFromChannel(ExsKey key) {
        boolean had = key.channel().keyFor(this) == key;
        if (had) {
            deregister(key);
        }
        return had;
    }

    // Selection.

    @Override
    public int selectNow() throws IOException {
        return selectWith(null, 0);
    }

    @Override
    public int select(long timeoutMs) throws IOException {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return selectWith(null, timeoutMs == 0 ? FOREVER : timeoutMs);
    }

    @Override
    public int select() throws IOException {
        return selectWith(null, FOREVER);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction, long timeoutMs) throws IOException {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return selectWith(Objects.requireNonNull(keyAction), timeoutMs == 0 ? FOREVER : timeoutMs);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction) throws IOException {
        return select(keyAction, 0);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> keyAction) throws IOException {
        return selectWith(Objects.requireNonNull(keyAction), 0);
    }

    private int selectWith(Consumer<SelectionKey> keyAction, long timeoutMs) throws IOException {
        synchronized (this) {
            ensureOpen();
            if (selecting != null) {
                throw new IllegalStateException("select in progress");
            }
            synchronized (selected) {
                action = keyAction;
                selecting = Thread.currentThread();
                try {
                    return selectLocked(timeoutMs);
                } finally {
                    forget();
                    action = null;
                    selecting = null;
                }
            }
        }
    }

    private int selectLocked(long timeoutMs) throws IOException {
        updated = 0;
        selection++;
        anyReady = false;
        emptySleeps = 0;
        registrations.removeCancelled(cancelledKeys(), endedBy);
        registrations.takeInAsked();
        long endNs = timeoutMs > 0 ? System.nanoTime() + Math.min(timeoutMs, MAX_TIMEOUT_MS) * NS_PER_MS : 0;
        boolean last = timeoutMs == 0;
        while (true) {
            takeChanges();
            heated = false;
            pollHot();
            last = last || anyReady || wakeup.get() || Thread.currentThread().isInterrupted() || !isOpen();
            if (last) {
                lookAtDescriptors(timeoutMs == 0);
                break;
            }
            if (!spinForNews(timeoutMs, endNs) && sleep(timeoutMs, endNs)) {
                break;
            }
        }
        wakeup.set(false);
        registrations.removeCancelled(cancelledKeys(), endedBy);
        tell();
        return updated;
    }

    /** Handles what other threads and peers have reported of keys. */
    private void takeChanges() {
        registrations.processChanges();
        signs.takeNews();
    }

    private void pollHot() {
        int maxIdleLooks = maxIdleLooks();
        for (int i = hot.size() - 1; i >= 0; i--) {
            ExsKey key = hot.get(i);
            int wanted = key.selectedFor();
            int ready = wanted == 0 ? 0 : key.source.poll(wanted);
            if (ready != 0) {
                key.idleLooks = 0;
                onReady(key, ready);
            } else if (wanted == 0) {
                hot.remove(key);
                signs.hide(key);
            } else if (++key.idleLooks > maxIdleLooks) {
                key.idleLooks = 0;
                cool(key, true);
            }
        }
    }

    private int maxIdleLooks() {
        return Math.max(MIN_IDLE_LOOKS, Math.min(MAX_IDLE_LOOKS, IDLE_LOOKS_OF_ALL / (hot.size() + 1)));
    }

    /**
     * Has the peer announce the next completion, by a mark or an event, so that the key need not be polled.
     *
     * @param signed whether the sign says asleep during the next sleep: a peer that marks a cell wakes the selection
     *     only then
     */
    private void cool(ExsKey key, boolean signed) {
        boolean marks = signed && (key.wakesOnWord || key.cell >= 0) && signs.show(key, true);
        if (!marks && !key.source.signals()) {
            registrations.leaveWord(key);
            signs.hide(key);
            key.source.arm();
        }
        int ready = key.source.poll(key.selectedFor());
        if (ready == 0) {
            hot.remove(key);
        } else {
            signs.heat(key);
            onReady(key, ready);
        }
    }

    /**
     * Removes, at the end of the selection, a key whose channel another thread has closed or is closing. The key is
     * cancelled here, or that thread has cancelled it but not told the selector yet.
     */
    private void lose(ExsKey key) {
        key.cancel();
        endedBy.add(key);
    }

    /**
     * @param found what is ready of what is selected for, ≠ 0; it ends the selection even if the program's interest has
     *     changed, the key was cancelled or the channel closed meanwhile: the JDK's selection, which still has the
     *     descriptor, ends, too
     */
    private void onReady(ExsKey key, int found) {
        anyReady = true;
        if (!key.channel().isOpen()) {
            lose(key);
            return;
        }
        int ready = found & key.selectedFor() & key.interest();
        if (ready == 0 || !key.isValid()) {
            return;
        }
        if (action != null) {
            if (key.toTell == 0) {
                toTell.add(key);
            }
            key.toTell = added(key, key.toTell, ready);
        } else if (key.selectedIndex >= 0) {
            int before = key.ready();
            int now = added(key, before, ready);
            if (now != before) {
                key.ready(now);
            }
            if ((ready & ~before) != 0) {
                countOnce(key);
            }
        } else {
            key.ready(ready);
            selected.addSelected(key);
            countOnce(key);
        }
    }

    private static int added(ExsKey key, int before, int ready) {
        return (before & ~ready) != 0 && key.source.replacesReady() ? ready : before | ready;
    }

    /** Counts a key once in a selection, which may poll it twice. {@return whether this was the first time} */
    private boolean countOnce(ExsKey key) {
        if (key.updatedIn == selection) {
            return false;
        }
        key.updatedIn = selection;
        updated++;
        return true;
    }

    /**
     * Runs the action for each key that is ready for something of its interest. As in the JDK, this includes keys that
     * an earlier action has cancelled, but not keys cancelled before.
     */
    private void tell() {
        for (int i = 0; i < toTell.size(); i++) {
            ExsKey key = toTell.get(i);
            if (!key.isValid()) {
                key.toTell = 0;
            }
        }
        for (int i = 0; i < toTell.size(); i++) {
            ExsKey key = toTell.get(i);
            int ready = key.toTell & key.interest();
            if (ready != 0) {
                updated++;
                key.ready(ready);
                action.accept(key);
                ensureOpen();
            }
        }
    }

    private void forget() {
        for (int i = 0; i < toTell.size(); i++) {
            toTell.get(i).toTell = 0;
        }
        toTell.clear();
        endedBy.clear();
    }

    /** @param all whether to look at the program's own descriptors even if connections are ready */
    private void lookAtDescriptors(boolean all) throws IOException {
        long nowNs = System.nanoTime();
        if (!anyReady || all && registrations.anyDescriptors() || nowNs - lastDescriptorLookNs > DESCRIPTOR_LOOK_NS) {
            lastDescriptorLookNs = nowNs;
            lookAtChannels(nowNs);
            takeChanges();
            pollHotAgain();
        }
    }

    private void lookAtChannels(long nowNs) throws IOException {
        reviewIfDue(nowNs);
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
        if (!anyReady || heated) {
            pollHot();
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
            onReady(key, ready);
        } else if (source.polled()) {
            heated = true;
        }
    }

    /** {@return whether there may be news; false: arm and sleep} */
    private boolean spinForNews(long timeoutMs, long endNs) throws IOException {
        if (hot.size() == 0) {
            return false;
        }
        return loop.spin(news, timeoutMs > 0 ? endNs - System.nanoTime() : Long.MAX_VALUE);
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
            return anyReady || heated || registrations.hasChanges();
        }
    }

    /** Announces the sleep, sleeps, and handles the news. {@return whether the selection is over} */
    private boolean sleep(long timeoutMs, long endNs) throws IOException {
        SleepSign.Place shown = turnSign();
        boolean onWord = shown == SleepSign.Place.WORD;
        boolean told = false;
        try {
            armAll(shown != null);
            if (anyReady) {
                lookAtDescriptors(false);
                return true;
            }
            if (onWord && registrations.needInner()) {
                return false; // Some peer does not see the sign, or there is no background thread.
            }
            long leftNs = timeoutMs > 0 ? endNs - System.nanoTime() : Long.MAX_VALUE;
            if (leftNs <= 0) {
                lookAtDescriptors(true);
                return true;
            }
            told = sleepIn(onWord, leftNs);
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
        return anyReady
                || timeoutMs > 0 && endNs - System.nanoTime() <= 0
                || empty && (anyCancelled() || anyClosed())
                || emptySleeps == SLEEPS_ENDED_BY_A_DESCRIPTOR;
    }

    /**
     * Tells the peers that see the sign that this selection is about to sleep, and has the background thread or the
     * inner selector watch for the rest.
     *
     * @return where it sleeps, as the sign says; null: in the inner selector, without a sign
     */
    private SleepSign.Place turnSign() {
        if (!registrations.needInner() && turnSign(SleepSign.Place.WORD)) {
            registrations.lookUnwatched();
            registrations.watchInner();
            if (wordPlace == null) {
                wordPlace = WordPlace.of(signs.sign().word());
            }
            return SleepSign.Place.WORD;
        }
        registrations.enterInner();
        return turnSign(SleepSign.Place.CHANNELS) ? SleepSign.Place.CHANNELS : null;
    }

    private boolean turnSign(SleepSign.Place place) {
        if (!signs.open()) {
            return false;
        }
        if (signs.sign().asleep(place)) {
            return true;
        }
        signs.giveUp();
        return false;
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
                lose((ExsKey) key);
            }
        }
        return !endedBy.isEmpty();
    }

    private void armAll(boolean signed) {
        int maxIdleLooks = maxIdleLooks();
        for (int i = hot.size() - 1; i >= 0; i--) {
            ExsKey key = hot.get(i);
            if (!signed || !show(key, maxIdleLooks)) {
                cool(key, signed);
            }
        }
    }

    /** {@return whether the sign is shown to the peer: the key stays hot} */
    private boolean show(ExsKey key, int maxIdleLooks) {
        key.idleLooks += maxIdleLooks / IDLE_SLEEPS;
        if (key.idleLooks > maxIdleLooks || !key.channel().isOpen() || !signs.show(key, false)) {
            key.idleLooks = 0;
            return false;
        }
        int ready = key.source.poll(key.selectedFor());
        if (ready != 0) {
            key.idleLooks = 0;
            onReady(key, ready);
        }
        return true;
    }

    /** {@return whether the inner selector has reported something; true also if its silence proves nothing} */
    private boolean sleepIn(boolean onWord, long leftNs) throws IOException {
        long startNs = System.nanoTime();
        boolean told = onWord;
        long limitNs = Math.min(leftNs, Math.max(1, signs.reviewInNs(startNs)));
        sleepsIn = onWord ? wordPlace : inner;
        try {
            if (!wakeup.get() && !registrations.hasChanges() && !signs.hasNews()) {
                if (onWord) {
                    wordPlace.sleep(Math.min(limitNs, Math.max(1, registrations.unwatchedNs(startNs))));
                } else {
                    told = inner.select(onInner, limitNs == Long.MAX_VALUE ? 0 : (limitNs - 1) / NS_PER_MS + 1) > 0
                            || limitNs < leftNs;
                }
            }
        } finally {
            sleepsIn = null;
        }
        lastDescriptorLookNs = System.nanoTime();
        loop.slept(lastDescriptorLookNs - startNs);
        if (onWord && registrations.unwatchedNs(lastDescriptorLookNs) == 0) {
            registrations.watchAll();
        }
        return told;
    }

    @Override
    public Selector wakeup() {
        wakeup.set(true);
        wakeSleeper();
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
                if (wordPlace != null) {
                    wordPlace.leave();
                }
                inner.close();
            }
        }
    }
}

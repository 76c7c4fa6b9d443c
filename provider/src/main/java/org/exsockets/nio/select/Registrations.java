package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.observe.Log;
import org.exsockets.waiting.HotSet;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Waiters;

/**
 * The keys of a selector from registration to removal: where the readiness of each comes from, and whether the inner
 * selector knows of it.
 *
 * <p>Belongs to the thread that holds the selector's monitor and that of the selected keys; {@link #add}, {@link
 * #takeBack}, {@link #ask}, {@link #change}, {@link #hasChanges} and {@link #keys} are for any thread.
 */
final class Registrations {
    /** Keys found ready here are still ready at the next selection. */
    private static final Consumer<SelectionKey> STILL_READY = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {}
    };

    private final KeySelector selector;
    private final Selector inner;
    private final SelectedKeys selected;
    private final HotSet<ExsKey> hot;
    private final SignedKeys signs;
    private final SpinLoop loop;

    private final Set<ExsKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);

    /** Keys that are new or have another interest, from any thread. The next selection handles them (JDK contract). */
    private final ConcurrentLinkedQueue<ExsKey> asked = new ConcurrentLinkedQueue<>();

    /** Keys whose source has changed, from any thread, usually once each. */
    private final ConcurrentLinkedQueue<ExsKey> changes = new ConcurrentLinkedQueue<>();

    /** Keys whose readiness shows in the inner selector; for the others completion channels are only a hint. */
    private int descriptorKeys;

    /** Keys whose news does not end a sleep on the sign's word. */
    private int innerKeys;

    /** Keys whose peers end such a sleep. */
    private int wordKeys;

    /** Keys that the background thread reports if they may be ready. */
    private final List<ExsKey> watchedKeys = new ArrayList<>(0);

    /** Some keys may not be registered with the inner selector, which was not needed. */
    private boolean someApart;

    /** Keys for which {@link KeySource#watch} is still to be called if the inner selector is not needed. */
    private final Set<ExsKey> unwatched = new HashSet<>();

    /** When {@link #unwatched} got its first key. */
    private long unwatchedSinceNs;

    Registrations(
            KeySelector selector,
            Selector inner,
            SelectedKeys selected,
            HotSet<ExsKey> hot,
            SignedKeys signs,
            SpinLoop loop) {
        this.selector = selector;
        this.inner = inner;
        this.selected = selected;
        this.hot = hot;
        this.signs = signs;
        this.loop = loop;
    }

    /** {@return the keys as the program sees them} */
    Set<SelectionKey> keys() {
        return publicKeys;
    }

    /** {@return whether there are keys whose readiness shows in the inner selector only} */
    boolean anyDescriptors() {
        return descriptorKeys > 0;
    }

    void add(ExsKey key) {
        keys.add(key);
        if (key.channel() instanceof ExsChannel ours) {
            ours.keys().add(key);
        }
    }

    /** Undoes {@link #add} for a cancelled key that was not returned to the program. */
    void takeBack(ExsKey key) {
        keys.remove(key);
        if (key.channel() instanceof ExsChannel ours) {
            ours.keys().remove(key);
        }
    }

    /** Queues a key that is new or has another interest, for {@link #takeInAsked}. */
    void ask(ExsKey key) {
        if (!key.changed) {
            key.changed = true;
            asked.add(key);
        }
    }

    /** Queues a key whose source has changed, for {@link #processChanges}. */
    void change(ExsKey key) {
        if (!key.sourceChanged) { // Peers may ring again and again while the selecting thread is elsewhere.
            key.sourceChanged = true;
            changes.add(key);
        }
    }

    boolean hasChanges() {
        return !changes.isEmpty();
    }

    /** A selection begins: applies new keys and new interests. */
    void takeInAsked() {
        for (ExsKey key; (key = asked.poll()) != null; ) {
            key.changed = false;
            if (key.isValid()) {
                key.takeIn();
                refresh(key);
            }
        }
    }

    /**
     * Updates every key whose source has changed. The readiness of a key that was cancelled meanwhile ends the
     * selection until the key is removed, as in the JDK, which still has the descriptor.
     */
    void processChanges() {
        for (ExsKey key; (key = changes.poll()) != null; ) {
            key.sourceChanged = false;
            boolean removed = !key.isValid() && key.source == null;
            if (key.known && !removed) {
                refresh(key);
            }
        }
    }

    private void refresh(ExsKey key) {
        KeySource wanted =
                key.channel() instanceof ExsChannel ours ? ours.source(selector, key, key.source) : foreignSource(key);
        if (wanted == null) {
            return;
        }
        if (key.source != wanted) {
            if (key.source != null) {
                detach(key);
            }
            attach(key, wanted);
        }
        if (key.wakesOnWord && !wanted.showsInInner() && !needInner()) {
            someApart = true;
        } else {
            wanted.update(inner, key);
        }
        if (wanted.polled()) {
            signs.heat(key);
        }
    }

    private void attach(ExsKey key, KeySource source) {
        key.source = source;
        loop.raise(source.wakeUpNs());
        if (source.showsInInner()) {
            descriptorKeys++;
        }
        key.wakesOnWord = source.wakesOnWord();
        if (!key.wakesOnWord) {
            innerKeys++;
        } else if (source.showsInInner()) {
            watchedKeys.add(key);
        } else {
            wordKeys++;
            if (unwatched.isEmpty()) {
                unwatchedSinceNs = System.nanoTime();
            }
            unwatched.add(key);
        }
    }

    /** {@return whether to sleep in the inner selector: a key shows only there, or no peer ends a sleep on the word} */
    boolean needInner() {
        return innerKeys > 0 || wordKeys == 0;
    }

    /** The key's peer does not see the sign, or there is no background thread: the inner selector is needed. */
    void leaveWord(ExsKey key) {
        if (key.wakesOnWord) {
            lose(key);
            key.wakesOnWord = false;
            innerKeys++;
            key.attached().update(inner, key);
        }
    }

    /** Before a sleep in the inner selector: registers all keys there. */
    void enterInner() {
        if (someApart) {
            someApart = false;
            for (ExsKey key : keys) {
                if (key.source != null && key.wakesOnWord) {
                    key.source.update(inner, key);
                }
            }
        }
    }

    /** {@return nanoseconds until {@link #watchAll} is due, for a selection that does not need the inner selector} */
    long unwatchedNs(long nowNs) {
        return unwatched.isEmpty() ? Long.MAX_VALUE : Math.max(0, Waiters.UNWATCHED_NS - (nowNs - unwatchedSinceNs));
    }

    private void lose(ExsKey key) {
        if (key.attached().showsInInner()) {
            watchedKeys.remove(key);
        } else {
            wordKeys--;
            unwatched.remove(key);
        }
    }

    /** Has the background thread report what shows in the inner selector. */
    void watchInner() {
        for (int i = watchedKeys.size() - 1; i >= 0; i--) {
            watch(watchedKeys.get(i));
        }
    }

    private void watch(ExsKey key) {
        try {
            key.attached().watch();
        } catch (IOException noThread) {
            leaveWord(key);
        }
    }

    /** Looks for what the word of the sign does not tell, before {@link #watchAll}. {@return whether there is news} */
    boolean lookUnwatched() {
        if (unwatched.isEmpty()) {
            return false; // A selection that spins asks every 20 µs, and an iterator takes memory.
        }
        boolean any = false;
        for (ExsKey key : unwatched) {
            any |= key.attached().lookUnwatched();
        }
        return any;
    }

    /** Has the background thread report what the word of the sign does not. */
    void watchAll() {
        for (ExsKey key : List.copyOf(unwatched)) {
            watch(key);
        }
        unwatched.clear();
    }

    private static KeySource foreignSource(ExsKey key) {
        return key.source != null ? key.source : new DescriptorSource(key.channel(), true);
    }

    private void detach(ExsKey key) {
        hot.remove(key);
        signs.hide(key);
        key.attached().cancelInner();
        flushInner();
        forget(key);
    }

    private void forget(ExsKey key) {
        KeySource source = key.attached();
        if (source.showsInInner()) {
            descriptorKeys--;
        }
        if (key.wakesOnWord) {
            lose(key);
        } else {
            innerKeys--;
        }
        key.source = null;
        source.detached();
    }

    private void flushInner() {
        if (selector.isClosingInSelection()) {
            // An action closes this selector, maybe within a selection of the inner one, which is closed next.
            return;
        }
        try {
            inner.selectNow(STILL_READY);
        } catch (IOException e) {
            throw new IllegalStateException("selector: flush failed", e);
        }
    }

    /**
     * @param cancelled guarded by its monitor; empty afterwards
     * @param others cancelled, too, but maybe not in {@code cancelled} yet; such a key is removed again later, which
     *     changes nothing
     */
    void removeCancelled(Set<SelectionKey> cancelled, List<ExsKey> others) {
        Collection<ExsKey> gone = take(cancelled);
        if (!others.isEmpty()) {
            gone = new LinkedHashSet<>(gone);
            gone.addAll(others);
        }
        if (!gone.isEmpty()) {
            remove(gone);
        }
    }

    /** Empties {@code cancelled}. {@return what was in it} */
    private static List<ExsKey> take(Set<SelectionKey> cancelled) {
        synchronized (cancelled) {
            if (cancelled.isEmpty()) {
                return List.of();
            }
            List<ExsKey> taken = new ArrayList<>(cancelled.size());
            for (SelectionKey key : cancelled) {
                taken.add((ExsKey) key);
            }
            cancelled.clear();
            return taken;
        }
    }

    /**
     * First our keys leave the channels. Then the inner selector flushes its own and may free closed descriptors. A key
     * that fails keeps no other from going.
     */
    private void remove(Collection<ExsKey> gone) {
        for (ExsKey key : gone) {
            try {
                leaveChannel(key);
            } catch (RuntimeException | Error e) {
                Log.error("selector: a key is not removed in order", e);
            }
        }
        flushInner();
        for (ExsKey key : gone) {
            try {
                if (key.source != null) {
                    forget(key);
                }
            } catch (RuntimeException | Error e) {
                Log.error("selector: a channel is not let go of in order", e);
            }
            if (key.channel() instanceof ExsChannel ours) {
                ours.keys().remove(key);
            }
        }
    }

    private void leaveChannel(ExsKey key) {
        keys.remove(key);
        hot.remove(key);
        selected.remove(key);
        signs.hide(key);
        boolean registered = selector.deregisterFromChannel(key);
        if (key.source != null) {
            key.source.cancelInner();
        } else if (registered
                && !(key.channel() instanceof ExsChannel)
                && !key.channel().isOpen()) {
            // Closed before a selection saw it: its descriptor is freed with the last key.
            ForeignChannels.release(inner, (AbstractSelectableChannel) key.channel());
        }
    }

    /**
     * The selector is closed: cancels and removes all keys. {@link #keys} and {@code cancelled} complement each other:
     * a registration that finds the selector closed cancels its key before the key leaves {@link #keys}; a key that
     * another thread is cancelling may not be in {@code cancelled} yet.
     *
     * @param cancelled guarded by its monitor; empty afterwards
     */
    void removeAll(Set<SelectionKey> cancelled) {
        Set<ExsKey> all = new LinkedHashSet<>();
        for (ExsKey key : keys) {
            key.cancel();
            all.add(key);
        }
        all.addAll(take(cancelled));
        remove(all);
    }
}

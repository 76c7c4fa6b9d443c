package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.progress.SpinLoop;

/**
 * The keys of a selector from registration to removal: where the readiness of each comes from, and whether the inner
 * selector knows of it.
 *
 * <p>Belongs to the thread that holds the selector's monitor and that of the selected keys; {@link #add}, {@link #takeBack},
 * {@link #ask}, {@link #change}, {@link #hasChanges} and {@link #keys} are for any thread.
 */
final class Registrations {
    private final ExsSelector selector;
    private final Selector inner;
    private final SelectedKeys selected;
    private final HotKeys hot;
    private final SpinLoop loop;

    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);

    /** Keys that are new, or whose interest has changed, from any thread: the next selection's business (JDK contract). */
    private final ConcurrentLinkedQueue<ExsKey> asked = new ConcurrentLinkedQueue<>();

    /** Keys whose source has changed, from any thread. */
    private final ConcurrentLinkedQueue<ExsKey> changes = new ConcurrentLinkedQueue<>();

    /** Keys whose readiness shows in the inner selector; completion channels only bring the others to our notice. */
    private int descriptorKeys;

    /**
     * @param hot gets the keys that are to be polled
     * @param loop learns what sleeping on them costs
     */
    Registrations(ExsSelector selector, Selector inner, SelectedKeys selected, HotKeys hot, SpinLoop loop) {
        this.selector = selector;
        this.inner = inner;
        this.selected = selected;
        this.hot = hot;
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

    /** Undoes {@link #add} for a key that nobody has seen, and that is cancelled. */
    void takeBack(ExsKey key) {
        keys.remove(key);
        if (key.channel() instanceof ExsChannel ours) {
            ours.keys().remove(key);
        }
    }

    /** Queues a key that {@link ExsKey#markChanged} has marked, for {@link #takeInAsked}. */
    void ask(ExsKey key) {
        asked.add(key);
    }

    /** Queues a key whose source has changed, for {@link #processChanges}. */
    void change(ExsKey key) {
        changes.add(key);
    }

    boolean hasChanges() {
        return !changes.isEmpty();
    }

    /** A selection begins: takes in new keys and new interests. */
    void takeInAsked() {
        for (ExsKey key; (key = asked.poll()) != null; ) {
            key.clearChanged();
            if (key.isValid()) {
                key.takeIn();
                refresh(key);
            }
        }
    }

    /**
     * Brings every key whose source has changed in line with it. One that was cancelled meanwhile counts until it is removed, as in
     * the JDK, which still has the descriptor: its readiness ends the selection.
     */
    void processChanges() {
        for (ExsKey key; (key = changes.poll()) != null; ) {
            boolean removed = !key.isValid() && key.source == null;
            if (key.isKnown() && !removed) {
                refresh(key);
            }
        }
    }

    private void refresh(ExsKey key) {
        KeySource wanted = key.channel() instanceof ExsChannel ours ? ours.source(selector, key) : foreignSource(key);
        if (wanted == null) {
            return;
        }
        if (key.source != wanted) {
            if (key.source != null) {
                detach(key);
            }
            attach(key, wanted);
        }
        key.source.update(inner, key);
        if (key.source.polled()) {
            hot.add(key);
        }
    }

    private void attach(ExsKey key, KeySource source) {
        key.source = source;
        loop.raise(source.wakeUpNs());
        if (source.showsInInner()) {
            descriptorKeys++;
        }
    }

    private static KeySource foreignSource(ExsKey key) {
        return key.source != null ? key.source : new DescriptorSource(key.channel(), true);
    }

    private void detach(ExsKey key) {
        hot.remove(key);
        key.source.cancelInner();
        flushInner();
        forget(key);
    }

    private void forget(ExsKey key) {
        KeySource source = key.source;
        if (source.showsInInner()) {
            descriptorKeys--;
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
            // Keys found ready here are still ready at the next look.
            inner.selectNow(key -> {});
        } catch (IOException e) {
            throw new IllegalStateException("selector: flush failed", e);
        }
    }

    /**
     * @param cancelled guarded by its monitor; empty afterwards
     * @param others cancelled, too, but maybe not among them yet: those are removed once more then, which changes nothing
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

    /** First our keys leave the channels, then the inner selector flushes its own: now it may close what is closed. */
    private void remove(Collection<ExsKey> gone) {
        for (ExsKey key : gone) {
            keys.remove(key);
            hot.remove(key);
            selected.remove(key);
            boolean registered = selector.deregisterFromChannel(key);
            if (key.source != null) {
                key.source.cancelInner();
            } else if (registered
                    && !(key.channel() instanceof ExsChannel)
                    && !key.channel().isOpen()) {
                // Closed before a selection saw it: its descriptor waits for whoever takes the last key away.
                ForeignChannels.release(inner, (AbstractSelectableChannel) key.channel());
            }
        }
        flushInner();
        for (ExsKey key : gone) {
            if (key.source != null) {
                forget(key);
            }
            if (key.channel() instanceof ExsChannel ours) {
                ours.keys().remove(key);
            }
        }
    }

    /**
     * The selector is closed: cancels and removes all. A key whose registration finds the selector closed is cancelled first, and
     * leaves {@link #keys} after that; one that another thread is cancelling may not be among the cancelled ones yet.
     *
     * @param cancelled guarded by its monitor; empty afterwards
     */
    void removeAll(Set<SelectionKey> cancelled) {
        Set<ExsKey> all = new LinkedHashSet<>();
        for (SelectionKey key : keys) {
            key.cancel();
            all.add((ExsKey) key);
        }
        all.addAll(take(cancelled));
        remove(all);
    }
}

package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.SleepSign;
import org.exsockets.waiting.HotSet;
import org.exsockets.waiting.SpinLoop;

/** {@link Registrations} between a selector, channels and an inner selector that keep what is asked of them. */
final class SelectorParts {
    /** What was asked, of whom, in order. */
    final List<String> log = new ArrayList<>();

    final Outer selector = new Outer();
    final Inner inner = new Inner();
    final SelectedKeys selected = new SelectedKeys(selector);
    final HotSet<ExsKey> hot = new HotSet<>();
    final SignedKeys signs = new SignedKeys(hot);
    final SpinLoop loop = new SpinLoop(0);
    final Registrations registrations = new Registrations(selector, inner, selected, hot, signs, loop);

    /** {@return what has been asked since the last call} */
    List<String> takeLog() {
        List<String> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    /** A new key of a new channel, which no selection has seen. */
    ExsKey register(Source source) throws IOException {
        return (ExsKey) new Channel(source).register(selector, SelectionKey.OP_READ);
    }

    /** Where readiness comes from: by default a connection that is polled, and wakes only in the inner selector. */
    class Source implements KeySource {
        private final String name;
        boolean onWord;
        boolean showsInInner;
        boolean unwatchedNews;
        IOException noThread;
        boolean failsToGo;

        /** Null: the device has none. */
        SleepSign sign;

        Source(String name) {
            this.name = name;
        }

        Source onWord() {
            onWord = true;
            return this;
        }

        Source inInner() {
            showsInInner = true;
            return this;
        }

        @Override
        public void update(Selector in, ExsKey key) {
            log.add("update " + name);
        }

        @Override
        public boolean showsInInner() {
            return showsInInner;
        }

        @Override
        public boolean polled() {
            return !showsInInner;
        }

        @Override
        public int poll(int interest) {
            return 0;
        }

        @Override
        public boolean hasNews() {
            return false;
        }

        @Override
        public SleepSign openSleepSign() {
            return sign;
        }

        @Override
        public boolean show(SleepSign which, int cell, boolean sets) {
            log.add("show " + name);
            return true;
        }

        @Override
        public void hide(SleepSign which) {
            log.add("hide " + name);
        }

        @Override
        public boolean wakesOnWord() {
            return onWord;
        }

        @Override
        public boolean lookUnwatched() {
            log.add("look at " + name);
            return unwatchedNews;
        }

        @Override
        public void watch() throws IOException {
            log.add("watch " + name);
            if (noThread != null) {
                throw noThread;
            }
        }

        @Override
        public void cancelInner() {
            log.add("cancel " + name);
            fail();
        }

        @Override
        public void detached() {
            log.add("detached " + name);
            fail();
        }

        private void fail() {
            if (failsToGo) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    final class Channel extends AbstractSelectableChannel implements ExsChannel {
        private final ChannelKeys keys = new ChannelKeys();

        /** Null: none yet. */
        KeySource source;

        Channel(KeySource source) throws IOException {
            super(JdkChannels.provider());
            this.source = source;
            configureBlocking(false);
        }

        @Override
        public KeySource source(KeySelector of, ExsKey key, KeySource present) {
            return source;
        }

        @Override
        public ChannelKeys keys() {
            return keys;
        }

        @Override
        public int validOps() {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}
    }

    final class Outer extends KeySelector {
        boolean closingInSelection;

        Outer() {
            super(JdkChannels.provider());
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
            ExsKey key = new ExsKey(this, channel, ops);
            registrations.add(key);
            onChanged(key);
            return key;
        }

        /** {@return the cancelled keys, as the JDK keeps them} */
        Set<SelectionKey> cancelled() {
            return cancelledKeys();
        }

        @Override
        void onChanged(ExsKey key) {
            registrations.ask(key);
        }

        @Override
        public void onSignal(ExsKey key) {
            registrations.change(key);
        }

        @Override
        void onSourceChanged(ExsKey key) {
            registrations.change(key);
        }

        @Override
        void onRung(ExsKey key) {
            registrations.change(key);
        }

        @Override
        boolean isClosingInSelection() {
            return closingInSelection;
        }

        @Override
        protected void implCloseSelector() {}

        @Override
        public Set<SelectionKey> keys() {
            return registrations.keys();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return selected;
        }

        @Override
        public int selectNow() {
            throw new AssertionError();
        }

        @Override
        public int select(long timeoutMs) {
            throw new AssertionError();
        }

        @Override
        public int select() {
            throw new AssertionError();
        }

        @Override
        public Selector wakeup() {
            throw new AssertionError();
        }
    }

    /** Sleeps as long as {@link #onSelect} takes. */
    final class Inner extends AbstractSelector {
        /** What happens during a selection that waits. */
        Runnable onSelect = () -> {};

        /** Null: selections succeed. */
        IOException failure;

        /** Keys that a selection that waits reports. */
        int ready;

        /** Of the latest selection that waits. */
        long timeoutMs;

        int wakeUps;

        Inner() {
            super(JdkChannels.provider());
        }

        @Override
        public int selectNow(Consumer<SelectionKey> action) throws IOException {
            log.add("flush");
            if (failure != null) {
                throw failure;
            }
            return 0;
        }

        @Override
        public int select(Consumer<SelectionKey> action, long limitMs) throws IOException {
            log.add("select");
            timeoutMs = limitMs;
            onSelect.run();
            if (failure != null) {
                throw failure;
            }
            return ready;
        }

        @Override
        public Selector wakeup() {
            wakeUps++;
            return this;
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
            throw new AssertionError();
        }

        @Override
        protected void implCloseSelector() {}

        @Override
        public Set<SelectionKey> keys() {
            throw new AssertionError();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            throw new AssertionError();
        }

        @Override
        public int selectNow() {
            throw new AssertionError();
        }

        @Override
        public int select(long limitMs) {
            throw new AssertionError();
        }

        @Override
        public int select() {
            throw new AssertionError();
        }
    }
}

package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.TreeSet;

/** A selector. */
class SelectorEnd implements End {
    private final Selector selector;

    SelectorEnd(Selector selector) {
        this.selector = selector;
    }

    final Selector selector() {
        return selector;
    }

    @Override
    public final String call(String verb, String[] arguments) throws IOException {
        switch (verb) {
            case "select":
                return select(arguments[0], arguments.length > 1);
            case "action":
                return action();
            case "wakeup":
                selector.wakeup();
                return "ok";
            case "keys":
                return "keys " + names(selector.keys(), false) + " selected " + names(selector.selectedKeys(), true);
            case "close":
                selector.close();
                return "ok";
            case "state":
                return selector.isOpen() ? "open" : "closed";
            default:
                return unknown();
        }
    }

    /**
     * Holds the selector's monitor, as selections do, until it has seen what was selected: who waits for its turn comes then.
     *
     * @param keep leave the selected keys selected
     */
    private String select(String howLong, boolean keep) throws IOException {
        synchronized (selector) {
            if (!howLong.equals("forever")) {
                Calls.endsByItself(); // From here on; who only looks may take a while, too, for it closes what lingers.
            } else if (isUndecided()) {
                return "a connection is pending";
            }
            int selected = switch (howLong) {
                case "now" -> selector.selectNow();
                case "forever" -> selector.select();
                default -> selector.select(Long.parseLong(howLong));
            };
            String observed = selected + " " + names(selector.selectedKeys(), true);
            if (!keep) {
                selector.selectedKeys().clear();
            }
            return observed;
        }
    }

    /** The JDK's selection without end returns without a key, again and again, for what arrives before finishConnect. */
    private boolean isUndecided() {
        return selector.keys().stream()
                .filter(key -> key.isValid() && (key.interestOps() & SelectionKey.OP_READ) != 0)
                .anyMatch(key -> key.channel() instanceof SocketChannel channel && channel.isConnectionPending());
    }

    private String action() throws IOException {
        Set<String> acted = new TreeSet<>();
        synchronized (selector) {
            Calls.endsByItself();
            int selected = selector.selectNow(key -> acted.add(named(key, true)));
            return selected + " " + acted;
        }
    }

    private Set<String> names(Set<SelectionKey> keys, boolean ready) {
        Set<String> names = new TreeSet<>();
        for (SelectionKey key : keys) {
            names.add(named(key, ready));
        }
        return names;
    }

    private String named(SelectionKey key, boolean ready) {
        String name = Ends.nameOf(key.channel());
        if (!ready) {
            return name;
        }
        return name + ":" + (key.isValid() ? ready(key) : "cancelled");
    }

    /** Returns the operations that are ready, as letters. */
    String ready(SelectionKey key) {
        return Keys.letters(key.readyOps());
    }

    @Override
    public final void close() throws IOException {
        selector.close();
    }
}

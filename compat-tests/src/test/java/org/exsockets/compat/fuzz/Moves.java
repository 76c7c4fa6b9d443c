package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The operations that the generator chooses from. What TCP itself does not decide is not asked for:
 *
 * <ul>
 *   <li>bytes that nobody has read are fewer than any transport holds, or more than any does (8 MB), as long as no large
 *       amount has moved before: TCP then holds more and more;
 *   <li>an end sends one urgent byte at most, and no large amounts: which of several urgent bytes become ordinary ones
 *       depends on the moment (docs/usage.md, differences);
 *   <li>a close with linger and a time follows no large write: over TCP it waits for the peer's kernel, which is full
 *       (decision 4);
 *   <li>after a close of a channel, every selector of its process selects: the JDK keeps the descriptor of a registered
 *       channel until then, so that its peer is not told of a reset (docs/usage.md, differences);
 *   <li>a registered listener is not closed: likewise, those who wait to be accepted would be told when selectors select;
 *   <li>an end that has shut both halves is closed: TCP answers what comes then by a reset, EXS does not before the close
 *       (docs/usage.md, differences);
 *   <li>a registered channel is not closed with linger 0, nor if its peer has filled it: as above, the peer would be told when
 *       selectors select.
 * </ul>
 *
 * <p>What cannot be known when a program is made is refused when it runs: calls that depend on others that are pending
 * ({@link Undecided}), transfers beside a selection ({@link Streams}), endless selections of pending connections ({@link SelectorEnd}),
 * closes of registered channels whose connect is pending ({@link ChannelEnd}).
 *
 * Used by one thread, for one program.
 */
final class Moves {
    static final int FLOOD_BYTES = 8 << 20;
    private static final int SELECT_MS = 40;

    private final Generator generator;

    /** Those that may block. */
    private final List<Operation> blocking = new ArrayList<>();

    Moves(Generator generator) {
        this.generator = generator;
    }

    /** Appends one operation, or a few that belong together. */
    void add() {
        int choice = generator.random().nextInt(100);
        if (choice < 66) {
            Known end = any(object -> !object.listener() && !object.selector());
            if (end != null) {
                new EndMoves(generator, this).add(end);
            }
        } else if (choice < 74) {
            Known listener = any(Known::listener);
            if (listener != null) {
                onListener(listener);
            }
        } else if (choice < 93) {
            onSelectors();
        } else if (choice < 97) {
            interrupt();
        } else {
            new EndMoves(generator, this).lonely();
        }
    }

    Known any(Predicate<Known> wanted) {
        List<Known> found = generator.objects().stream().filter(wanted).toList();
        return found.isEmpty() ? null : found.get(generator.random().nextInt(found.size()));
    }

    /** Remembers an operation for interrupts. */
    void mayBlock(Known object, int number, String verb) {
        blocking.add(new Operation(number, object.process, object.name, verb, List.of()));
    }

    private void interrupt() {
        if (!blocking.isEmpty()) {
            Operation interrupted = blocking.get(generator.random().nextInt(blocking.size()));
            generator.add(interrupted.process(), "-", "interrupt", interrupted.number());
        }
    }

    private void onListener(Known listener) {
        switch (generator.random().nextInt(listener.selectable() ? 9 : 6)) {
            case 0 -> generator.add(listener, "state");
            case 1 -> generator.add(listener, "get", generator.pick("SO_REUSEADDR", "SO_RCVBUF", "SO_LINGER"));
            case 2 -> {
                if (generator.chance(30) && !listener.registered) {
                    generator.add(listener, "close");
                }
            }
            case 3 -> {
                Known accepted = generator.named(listener.kind.substring(0, 3), listener.process);
                mayBlock(listener, generator.add(listener, "accept", accepted.name), "accept");
                generator.objects().add(accepted);
            }
            case 4 -> {
                if (!listener.asynchronous()) {
                    generator.add(listener, adaptor(listener) + "timeout", generator.pick(0, 20, 30000));
                }
            }
            case 5 -> {
                Known client = generator.open(generator.pick("net", "nio", "aio"), generator.other(listener.process));
                generator.add(client, "connect", listener.name);
                client.connected = true;
            }
            default -> {
                listener.nonBlocking = generator.chance(70);
                generator.add(listener, "blocking", !listener.nonBlocking);
            }
        }
    }

    static String adaptor(Known object) {
        return object.selectable() ? "socket:" : "";
    }

    private void onSelectors() {
        Known selector = any(Known::selector);
        if (selector == null || generator.chance(8)) {
            Known channel = any(Known::selectable);
            if (channel == null) {
                return;
            }
            selector = generator.open("sel", channel.process);
            register(selector, channel);
            return;
        }
        Known chosen = selector;
        Known channel = any(object -> object.selectable() && object.process.equals(chosen.process));
        switch (generator.random().nextInt(15)) {
            case 0, 1, 2, 3 -> generator.add(selector, "select", "now");
            case 4 -> generator.add(selector, "select", "now", "keep");
            case 5 -> generator.add(selector, "select", SELECT_MS);
            case 6 -> {
                selector.selecting = true;
                mayBlock(selector, generator.add(selector, "select", "forever"), "select");
            }
            case 7 -> generator.add(selector, "action");
            case 8 -> wakeUp(selector);
            case 9 -> generator.add(selector, generator.pick("keys", "keys", "state", "close"));
            default -> {
                if (channel != null) {
                    onKey(selector, channel);
                }
            }
        }
    }

    private void wakeUp(Known selector) {
        selector.selecting = false;
        generator.add(selector, "wakeup");
    }

    private void onKey(Known selector, Known channel) {
        switch (generator.random().nextInt(8)) {
            case 0, 1, 2 -> register(selector, channel);
            case 3, 4 -> generator.add(channel, "interest", selector.name, ops(channel));
            case 5 -> generator.add(channel, "cancel", selector.name);
            default -> generator.add(channel, "key", selector.name);
        }
    }

    private void register(Known selector, Known channel) {
        if (!channel.nonBlocking && generator.chance(90)) {
            generator.add(channel, "blocking", "false");
            channel.nonBlocking = true;
        }
        channel.registered = true;
        generator.add(channel, "register", selector.name, ops(channel));
    }

    private String ops(Known channel) {
        if (generator.chance(3)) {
            return generator.pick("a", "rwca");
        }
        if (channel.listener()) {
            return generator.pick("a", "a", "a", "-");
        }
        if (channel.peer == null && !channel.connected) {
            return generator.pick("c", "rc", "wc");
        }
        if (generator.chance(5)) {
            return generator.pick("c", "rc", "wc");
        }
        return generator.pick("r", "r", "r", "w", "rw", "rw", "-");
    }

    private void selectNow(Known selector) {
        if (selector.selecting) {
            wakeUp(selector);
        }
        generator.add(selector, "select", "now");
    }

    /** The JDK keeps the descriptor of a registered channel until its selectors have selected. */
    void selectAfterClose(Known end) {
        if (end.selectable()) {
            generator.objects().stream()
                    .filter(object -> object.selector() && object.process.equals(end.process))
                    .forEach(this::selectNow);
        }
    }
}

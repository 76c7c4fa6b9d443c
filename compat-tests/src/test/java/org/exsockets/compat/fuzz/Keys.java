package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** What programs do to a channel and its keys. Stateless. */
final class Keys {
    /** Each at the bit of its operation; the second one stands for none. */
    private static final String LETTERS = "r_wca";

    private Keys() {}

    /** Does it, or returns null for another verb. */
    static String call(SelectableChannel channel, String verb, String[] arguments) throws IOException {
        switch (verb) {
            case "blocking":
                channel.configureBlocking(Boolean.parseBoolean(arguments[0]));
                return "ok";
            case "register", "interest", "cancel", "key":
                Selector selector = Ends.selector(arguments[0]);
                return selector == null ? "no such selector" : call(channel, selector, verb, arguments);
            default:
                return null;
        }
    }

    private static String call(SelectableChannel channel, Selector selector, String verb, String[] arguments)
            throws IOException {
        if (verb.equals("register")) {
            channel.register(selector, ops(arguments[1]));
            return "ok";
        }
        SelectionKey key = channel.keyFor(selector);
        if (key == null) {
            return "no key";
        }
        switch (verb) {
            case "interest":
                key.interestOps(ops(arguments[1]));
                return "ok";
            case "cancel":
                key.cancel();
                return "ok";
            default:
                return (key.isValid() ? "valid " : "not valid ") + letters(key.interestOps()) + " "
                        + letters(key.readyOps());
        }
    }

    /** @param letters of {@code r w c a}, or {@code -} */
    static int ops(String letters) {
        int ops = 0;
        for (char letter : letters.toCharArray()) {
            ops |= letter == '-' ? 0 : 1 << LETTERS.indexOf(letter);
        }
        return ops;
    }

    static String letters(int ops) {
        StringBuilder letters = new StringBuilder();
        for (char letter : new char[] {'r', 'w', 'c', 'a'}) {
            if ((ops & ops(String.valueOf(letter))) != 0) {
                letters.append(letter);
            }
        }
        return letters.isEmpty() ? "-" : letters.toString();
    }
}

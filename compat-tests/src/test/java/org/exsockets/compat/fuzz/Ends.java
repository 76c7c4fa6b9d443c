package org.exsockets.compat.fuzz;

import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The objects of the program that runs in this process, by their names. Thread-safe. */
final class Ends {
    private static final Map<String, End> ALL = new ConcurrentHashMap<>();

    private Ends() {}

    static String call(String name, String verb, String[] arguments) throws Exception {
        if (verb.equals("open")) {
            return open(name, arguments[0]);
        }
        End end = ALL.get(name);
        return end == null ? "no such object" : end.call(verb, arguments);
    }

    private static String open(String name, String kind) throws Exception {
        return add(
                name,
                switch (kind) {
                    case "net" -> new SocketEnd(name, new Socket());
                    case "netl" -> new ServerSocketEnd(new ServerSocket());
                    case "nio" -> Fault.CHOSEN.channel(name, SocketChannel.open());
                    case "niol" -> new ListenerEnd(ServerSocketChannel.open());
                    case "aio" -> new AsynchronousEnd(name, AsynchronousSocketChannel.open());
                    case "aiol" -> new AsynchronousListenerEnd(AsynchronousServerSocketChannel.open());
                    case "sel" -> Fault.CHOSEN.selector(Selector.open());
                    default -> throw new IllegalArgumentException("open: no such kind: " + kind);
                });
    }

    /** Gives a name to an object; one that has the name already keeps it, and the other is closed. */
    static String add(String name, End end) throws Exception {
        if (ALL.putIfAbsent(name, end) != null) {
            end.close();
            return "name taken";
        }
        return "ok";
    }

    /** Returns the selector of that name, or null. */
    static Selector selector(String name) {
        return ALL.get(name) instanceof SelectorEnd end ? end.selector() : null;
    }

    /** Returns the name of the object that stands for a channel. */
    static String nameOf(Object channel) {
        for (Map.Entry<String, End> end : ALL.entrySet()) {
            if (end.getValue().stands(channel)) {
                return end.getKey();
            }
        }
        return "?";
    }

    /** Closes and forgets everything. Selectors last: they tell their keys from the objects. */
    static String closeAll() {
        List<String> thrown = new ArrayList<>();
        for (boolean selectors : new boolean[] {false, true}) {
            ALL.forEach((name, end) -> {
                if (end instanceof SelectorEnd == selectors) {
                    try {
                        end.close();
                    } catch (Throwable t) {
                        thrown.add(name + " " + Calls.outcome(t));
                    }
                    ALL.remove(name);
                }
            });
        }
        return thrown.isEmpty() ? "ok" : thrown.toString();
    }
}

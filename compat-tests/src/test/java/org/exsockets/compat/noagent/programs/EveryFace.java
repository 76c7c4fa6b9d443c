package org.exsockets.compat.noagent.programs;

import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.TreeSet;
import org.exsockets.compat.seams.programs.Conversation;

/** Installs the socket factories, prints the packages that channels and selectors come from, and has a {@link Conversation}. */
public final class EveryFace {
    private EveryFace() {}

    public static void main(String[] args) throws Exception {
        Class.forName("org.exsockets.ExsSockets").getMethod("install").invoke(null);
        try (Selector selector = Selector.open();
                SocketChannel channel = SocketChannel.open();
                AsynchronousSocketChannel asynchronous = AsynchronousSocketChannel.open()) {
            Set<String> packages = new TreeSet<>();
            for (Object each : new Object[] {selector, channel, asynchronous}) {
                packages.add(each.getClass().getPackageName());
            }
            System.out.println(String.join(" ", packages));
        }
        Conversation.main(args);
    }
}

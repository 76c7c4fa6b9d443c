package org.exsockets.compat.fuzz;

import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;

/** An asynchronous listening channel. The thread of an accept waits until it is complete. */
final class AsynchronousListenerEnd extends NetworkEnd<AsynchronousServerSocketChannel> {

    AsynchronousListenerEnd(AsynchronousServerSocketChannel channel) {
        super(channel);
    }

    @Override
    String own(String verb, String[] arguments) throws Exception {
        if (!verb.equals("accept")) {
            return unknown();
        }
        Completion<AsynchronousSocketChannel> accepted = new Completion<>();
        channel.accept(null, accepted);
        return AsynchronousEnd.accepted(arguments[0], accepted.await());
    }

    @Override
    String state() {
        return "";
    }
}

package org.exsockets.compat.fuzz;

import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;

/** An asynchronous listening channel. The thread of an accept waits until it is complete. */
final class AsynchronousListenerEnd extends NetworkEnd<AsynchronousServerSocketChannel> {
    private final Futures futures = new Futures();

    AsynchronousListenerEnd(AsynchronousServerSocketChannel channel) {
        super(channel);
    }

    @Override
    String own(String verb, String[] arguments) throws Exception {
        switch (verb) {
            case "accept":
                Completion<AsynchronousSocketChannel> accepted = new Completion<>();
                channel.accept(null, accepted);
                return AsynchronousEnd.accepted(arguments[0], accepted.await());
            case "futureaccept":
                return AsynchronousEnd.accepted(arguments[0], futures.await("accept", channel.accept()));
            case "cancelaccept":
                return futures.cancel("accept", Boolean.parseBoolean(arguments[0]));
            default:
                return unknown();
        }
    }

    @Override
    String state() {
        return "";
    }
}

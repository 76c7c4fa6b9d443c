package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;

/** An asynchronous listening channel. The thread of an accept waits until it is complete. */
final class AsynchronousListenerEnd implements End {
    private final AsynchronousServerSocketChannel channel;

    AsynchronousListenerEnd(AsynchronousServerSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public String call(String verb, String[] arguments) throws Exception {
        switch (verb) {
            case "bind":
                channel.bind(Addresses.of(arguments[0]));
                return String.valueOf(channel.getLocalAddress());
            case "accept":
                Completion<AsynchronousSocketChannel> accepted = new Completion<>();
                channel.accept(null, accepted);
                return AsynchronousEnd.accepted(arguments[0], accepted.await());
            case "close":
                channel.close();
                return "ok";
            case "set":
                return Options.set(channel.supportedOptions(), channel::setOption, arguments);
            case "get":
                return Options.get(channel.supportedOptions(), channel::getOption, arguments[0]);
            case "options":
                return Options.names(channel.supportedOptions());
            case "state":
                return state();
            default:
                return unknown();
        }
    }

    private String state() {
        String address;
        try {
            address = String.valueOf(channel.getLocalAddress());
        } catch (IOException e) {
            address = Calls.outcome(e);
        }
        return (channel.isOpen() ? "open " : "closed ") + address + " " + channel;
    }

    @Override
    public boolean stands(Object other) {
        return other == channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

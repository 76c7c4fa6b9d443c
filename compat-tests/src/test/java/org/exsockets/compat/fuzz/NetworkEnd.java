package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.channels.NetworkChannel;

/** A channel of whatever kind: its addresses, options and end. */
abstract class NetworkEnd<C extends NetworkChannel> implements End {
    final C channel;

    private final Lingering lingering = new Lingering();

    NetworkEnd(C channel) {
        this.channel = channel;
    }

    @Override
    public final String call(String verb, String[] arguments) throws Exception {
        lingering.before(verb, arguments);
        switch (verb) {
            case "bind":
                channel.bind(Addresses.of(arguments[0]));
                return String.valueOf(channel.getLocalAddress());
            case "close":
                String refusal = whyNotClose();
                if (refusal == null) {
                    channel.close();
                }
                return refusal == null ? "ok" : refusal;
            case "set":
                return Options.set(channel.supportedOptions(), channel::setOption, arguments);
            case "get":
                return Options.get(channel.supportedOptions(), channel::getOption, arguments[0]);
            case "options":
                return Options.names(channel.supportedOptions());
            case "state":
                return (channel.isOpen() ? "open" : "closed") + state() + " " + addresses() + " " + channel;
            case "ports":
                Object[] both = address();
                return both.length == 2 ? Addresses.ports(both[0], both[1]) : "none";
            default:
                return own(verb, arguments);
        }
    }

    /** Returns why it cannot be asked for that this is closed now; null if it can. */
    String whyNotClose() {
        return null;
    }

    /** A verb that not all channels have. */
    abstract String own(String verb, String[] arguments) throws Exception;

    /** What else can be seen, each word behind a space. */
    abstract String state();

    /** The addresses that this kind has. */
    Object[] address() throws IOException {
        return new Object[] {channel.getLocalAddress()};
    }

    private String addresses() {
        try {
            StringBuilder addresses = new StringBuilder();
            for (Object each : address()) {
                addresses.append(addresses.length() > 0 ? " " : "").append(each);
            }
            return addresses.toString();
        } catch (IOException e) {
            return Calls.outcome(e);
        }
    }

    @Override
    public final boolean stands(Object other) {
        return other == channel;
    }

    @Override
    public final void close() throws IOException {
        channel.close();
    }
}

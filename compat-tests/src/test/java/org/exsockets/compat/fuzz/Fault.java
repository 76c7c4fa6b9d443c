package org.exsockets.compat.fuzz;

import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** What {@code exs.test.fuzz.fault} has wrong in the channels of a process: the fuzzer must find it. */
enum Fault {
    NONE,
    /** Writes of 100 bytes and more lose their last one. */
    LOST_BYTE,
    /** A reset is reported as something else. */
    OTHER_MESSAGE,
    /** Reading from a peer that has ended its output is a reset. */
    RESET_FOR_END,
    /** Selectors do not say that a channel can be read. */
    MISSED_READINESS;

    static final Fault CHOSEN = Fault.valueOf(System.getProperty("exs.test.fuzz.fault", "NONE"));

    End channel(String name, SocketChannel channel) {
        return this == NONE ? new ChannelEnd(name, channel) : new FaultyChannelEnd(name, channel, this);
    }

    End selector(Selector selector) {
        return this == MISSED_READINESS ? new FaultySelectorEnd(selector) : new SelectorEnd(selector);
    }
}

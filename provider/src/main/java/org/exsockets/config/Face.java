package org.exsockets.config;

/** The ways in which a program comes to sockets: each can be left to the JDK ({@code exs.faces}). */
public enum Face {
    /** {@link java.net.Socket} and {@link java.net.ServerSocket}. */
    NET,

    /** Channels and selectors of a {@link java.nio.channels.spi.SelectorProvider}, and their adaptors. */
    NIO,

    /** Channels of a {@link java.nio.channels.spi.AsynchronousChannelProvider}. */
    AIO
}

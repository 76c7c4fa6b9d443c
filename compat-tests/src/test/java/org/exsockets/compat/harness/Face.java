package org.exsockets.compat.harness;

/** Which of the JDK's two socket interfaces an end of a connection uses. */
public enum Face {
    /** {@code java.net.Socket} and {@code ServerSocket}. */
    NET,
    /** {@code java.nio.channels.SocketChannel} and {@code ServerSocketChannel}, in blocking mode. */
    NIO
}

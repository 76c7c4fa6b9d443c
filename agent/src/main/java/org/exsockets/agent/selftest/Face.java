package org.exsockets.agent.selftest;

/** An API of the JDK through which both ends of a connection are used. */
enum Face {
    SOCKET("Socket", 0),
    CHANNEL("SocketChannel", 1),
    SELECTOR("SocketChannel and Selector", 1),
    ASYNCHRONOUS("AsynchronousSocketChannel", 2);

    /** How many listeners a server has: blocking channels and those of selectors are accepted alike. */
    static final int LISTENERS = 3;

    final String title;

    /** Which of a server's listeners serves it. */
    final int listener;

    Face(String title, int listener) {
        this.title = title;
        this.listener = listener;
    }
}

package org.exsockets.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Implements the static methods of the API's types, with the same contracts. Not for programs; public because the
 * implementation is in another package and, with the agent, in another class loader. One per JVM; thread-safe.
 */
public interface ApiProvider {
    EventQueue createQueue(int capacity) throws IOException;

    Event[] events(int count);

    ExsMemory allocate(int lengthBytes) throws IOException;

    ExsMemory register(ByteBuffer memory);

    ExsSocket openSocket(SocketType type);

    ExsServerSocket listen(SocketType type, InetSocketAddress local, int backlog) throws IOException;
}

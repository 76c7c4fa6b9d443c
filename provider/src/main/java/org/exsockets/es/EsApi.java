package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.api.ApiProvider;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.es.queue.QueuedEvent;
import org.exsockets.es.queue.RegisteredMemory;
import org.exsockets.install.Installation;

/** Implements the API in this class loader; made once, by name. Thread-safe. */
public final class EsApi implements ApiProvider {
    /** Uses the settings of the agent; without an agent, reads them. */
    public EsApi() {
        Installation.prepareWithoutAgent();
    }

    @Override
    public EventQueue createQueue(int capacity) throws IOException {
        return new PolledEventQueue(capacity);
    }

    @Override
    public Event[] events(int count) {
        QueuedEvent[] events = new QueuedEvent[count];
        Arrays.setAll(events, i -> new QueuedEvent());
        return events;
    }

    @Override
    public ExsMemory allocate(int lengthBytes) throws IOException {
        return RegisteredMemory.allocate(lengthBytes);
    }

    @Override
    public ExsMemory register(ByteBuffer memory) {
        if (!memory.isDirect() || memory.isReadOnly()) {
            throw new IllegalArgumentException("register: not direct and writable: " + memory);
        }
        return new RegisteredMemory(memory.duplicate().clear());
    }

    @Override
    public ExsSocket openSocket(SocketType type) {
        return type == SocketType.STREAM ? new StreamSocket() : new PacketSocket();
    }

    @Override
    public ExsServerSocket listen(SocketType type, InetSocketAddress local, int backlog) throws IOException {
        return EsServerSocket.listen(type, local, backlog);
    }
}

package org.exsockets.es;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import org.exsockets.api.Event;
import org.exsockets.api.EventQueue;
import org.exsockets.api.ExsServerSocket;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.ExsUnavailableException;
import org.exsockets.api.SocketType;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.PolledEventQueue;
import org.exsockets.es.queue.Polling;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.AcceptSources;
import org.exsockets.rendezvous.Acceptor;
import org.exsockets.rendezvous.Protocol;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/** Listens on TCP and on the devices. The owner of the TCP port may have the EXS name of that port. */
final class EsServerSocket extends EsSource implements ExsServerSocket, Polling {
    private final SocketType type;
    private final ServerSocketChannel tcp;
    private final InetSocketAddress local;
    private final Acceptor<SocketChannel> acceptor;

    @GuardedBy("lock")
    private final ArrayDeque<Operation> accepts = new ArrayDeque<>();

    private EsServerSocket(
            SocketType type, ServerSocketChannel tcp, InetSocketAddress local, List<DeviceListener> devices) {
        this.type = type;
        this.tcp = tcp;
        this.local = local;
        this.acceptor = new Acceptor<>(devices, tcp, tcp::accept, false);
    }

    static EsServerSocket listen(SocketType type, InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel tcp = JdkChannels.openServerSocketChannel(null);
        try {
            tcp.bind(address, backlog);
            tcp.configureBlocking(false);
            InetSocketAddress bound = (InetSocketAddress) tcp.getLocalAddress();
            Protocol protocol = type == SocketType.STREAM ? Protocol.STREAM : Protocol.PACKETS;
            List<DeviceListener> devices = Rendezvous.get().tryListen(protocol, bound, Ipv6.dualStack(), backlog, null);
            if (devices.isEmpty() && type == SocketType.SEQPACKET) {
                throw new ExsUnavailableException(
                        "listen: no device can listen for SEQPACKET connections: local=" + bound
                                + "; java -jar exs-agent.jar doctor tells why",
                        null);
            }
            return new EsServerSocket(type, tcp, bound, devices);
        } catch (IOException | RuntimeException e) {
            tcp.close();
            throw e;
        }
    }

    @Override
    public SocketType type() {
        return type;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public long accept(EventQueue queue, @Nullable Object context) throws IOException {
        lock.lock();
        try {
            ensureOpen();
            attach(Operations.queue(queue));
            Operation operation = operations.begin(Event.Type.ACCEPT, queue, context);
            long id = operation.id;
            accepts.add(operation);
            move();
            if (operation.id == id) {
                heatCold();
            }
            return id;
        } finally {
            lock.unlock();
        }
    }

    @Override
    @GuardedBy("lock")
    void move() {
        for (Operation next; (next = accepts.peek()) != null; ) {
            ExsSocket accepted;
            try {
                Acceptor.Accepted<SocketChannel> come = acceptor.accept(Wait.NONE);
                if (come.endpoint() != null) {
                    accepted = type == SocketType.STREAM
                            ? new StreamSocket(new ExsWire(come.endpoint()))
                            : new PacketSocket(come.endpoint());
                } else if (come.tcp() == null) {
                    return;
                } else if (type == SocketType.STREAM) {
                    accepted = new StreamSocket(TcpWire.over(come.tcp()));
                } else {
                    refuse(come.tcp());
                    continue;
                }
            } catch (IOException e) {
                accepts.poll();
                operations.complete(next, Event.Status.FAILED, e);
                continue;
            }
            accepts.poll();
            next.accepted = accepted;
            operations.complete(next, Event.Status.DONE, null);
        }
    }

    private static void refuse(SocketChannel plain) {
        Log.info("connection over TCP reset: the listener is of type SEQPACKET: " + plain);
        try (plain) {
            plain.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            Log.debug("reset of a TCP connection: " + e);
        }
    }

    @Override
    public boolean cancel(long operation) {
        lock.lock();
        try {
            Operation found = find(accepts, operation);
            if (found == null) {
                return false;
            }
            accepts.remove(found);
            operations.complete(found, Event.Status.CANCELLED, null);
            return true;
        } finally {
            lock.unlock();
        }
    }

    // For queues.

    @Override
    public Polling polling() {
        return this;
    }

    @Override
    public boolean hasNews() {
        return !isClosed() && acceptor.sources().hasLate();
    }

    @Override
    public void arm() {
        // The keys wake the queue; so does the signal of a hand-shake completed late.
        if (acceptor.sources().hasLate()) {
            work();
        }
    }

    @Override
    public void channels(Channels visitor) {
        lock.lock();
        try {
            boolean waiting = !accepts.isEmpty();
            for (SelectableChannel each : acceptor.sources().channels()) {
                visitor.accept(each, waiting ? AcceptSources.acceptOps(each) : 0);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void abandon(PolledEventQueue queue) {
        lock.lock();
        try {
            operations.dropAll(accepts, queue);
        } finally {
            lock.unlock();
        }
    }

    @Override
    @GuardedBy("lock")
    void onAttached(Attachment attachment) {
        acceptor.sources().addSignal(attachment);
    }

    @Override
    @GuardedBy("lock")
    void onForgotten(Attachment attachment) {
        acceptor.sources().removeSignal(attachment);
    }

    @Override
    @GuardedBy("lock")
    void onClose() {
        operations.completeAll(accepts, Event.Status.CLOSED, null);
        // The name ends before the port: the port's next owner makes a name of its own.
        acceptor.close();
        try {
            tcp.close();
        } catch (IOException e) {
            Log.debug("close of a listener: " + e);
        }
        ProgressThread.flushClosed(tcp);
    }

    @Override
    public String toString() {
        return "ExsServerSocket[" + type + ", " + (isClosed() ? "closed" : local) + "]";
    }
}

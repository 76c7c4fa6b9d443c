package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.api.Event;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.direct.PostedReceives;
import org.exsockets.connection.direct.PostedReceives.PostedReceive;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.es.queue.Attachment;
import org.exsockets.es.queue.Operation;
import org.exsockets.es.queue.Operations;
import org.exsockets.es.queue.Pollable;
import org.exsockets.verbs.Endpoint;

/** An EXS connection, as that of an ordinary socket. */
final class ExsWire implements StreamWire {
    private final ExsConnection connection;
    private final ConnectionProgress progress;
    private final PostedReceives receives;

    /** Takes over an endpoint that nothing was posted to. */
    ExsWire(Endpoint endpoint) {
        this.connection = new ExsConnection(endpoint);
        this.progress = connection.progress;
        this.receives = connection.receives();
    }

    @Override
    @SuppressWarnings("NullAway") // A receive has memory.
    public void post(Operation receive) {
        if (receive.posted == null) {
            receive.posted = receives.newReceive();
        }
        receives.post(receive.posted, receive.memory, receive.offset, receive.length, receive.waitAll);
    }

    @Override
    public void moveReceives(ArrayDeque<Operation> pending, Operations operations) throws IOException {
        receives.advance();
        while (receives.haveEnded()) {
            Operation over = firstEnded(pending);
            if (over.posted.isReset()) {
                throw new SocketException("Connection reset");
            }
            pending.removeFirstOccurrence(over);
            take(over);
            IOException failure = over.posted.failure();
            Event.Status how = over.posted.isCancelled() ? Event.Status.CANCELLED : Event.Status.DONE;
            operations.complete(over, failure != null ? Event.Status.FAILED : how, failure);
        }
    }

    @Override
    public void moveNothing() {
        progress.progress();
        progress.settleLater();
    }

    /** Usually the first: only a cancelled receive ends before older ones. */
    private static Operation firstEnded(ArrayDeque<Operation> pending) {
        Operation first = pending.peek();
        if (first != null && first.posted.isDone()) {
            return first;
        }
        for (Operation each : pending) {
            if (each.posted.isDone()) {
                return each;
            }
        }
        throw new IllegalStateException("stream socket: a receive has ended that is not pending");
    }

    private void take(Operation over) {
        receives.take(over.posted);
        over.moved = over.posted.received();
        over.movedDirect = over.posted.receivedDirect();
        over.endOfStream = over.posted.isEndOfStream();
    }

    @Override
    public boolean cancel(Operation receive) {
        receives.cancel(receive.posted);
        return false;
    }

    @Override
    public void takeBack(List<Operation> some) {
        List<PostedReceive> posted = new ArrayList<>(some.size());
        some.forEach(each -> posted.add(each.posted));
        receives.takeBack(posted);
        some.forEach(this::take);
    }

    @Override
    public int write(ByteBuffer source, boolean patient) throws IOException {
        return connection.write(source, patient);
    }

    @Override
    public void shutdownOutput() {
        connection.shutdownOutput();
    }

    @Override
    public void reset() {
        connection.reset();
    }

    @Override
    public void close(boolean reset) {
        connection.close(reset ? Close.ABORT : Close.ORDERLY);
    }

    @Override
    public void attached(Attachment attachment) {
        if (!connection.readiness().addSelector(attachment)) {
            throw new IllegalStateException("stream socket: connection released while it is open");
        }
    }

    @Override
    public void detached(Attachment attachment) {
        connection.readiness().removeSelector(attachment);
    }

    @Override
    public boolean hasNews() {
        // Nothing handles what has arrived behind the end of a lost connection.
        return receives.haveEnded() || progress.hasCompletions() && !progress.life.isHungUp();
    }

    @Override
    public void arm() {
        progress.arm();
    }

    @Override
    public boolean polled() {
        return true;
    }

    @Override
    public long wakeUpNs() {
        return progress.events.wakeUpNs();
    }

    @Override
    public long quietNs() {
        return receives.quietNs();
    }

    @Override
    public void channels(Pollable.Channels visitor, boolean reading, boolean writing) {
        // At end of file the channel would stay readable for ever.
        visitor.accept(progress.events.selectable(), progress.life.isHungUp() ? 0 : SelectionKey.OP_READ);
    }

    @Override
    public void onReady() {
        progress.takeEvents();
    }

    @Override
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public String transport() {
        return progress.endpoint.device();
    }
}

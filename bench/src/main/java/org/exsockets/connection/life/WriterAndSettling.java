package org.exsockets.connection.life;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.jdk.DescriptorChannels;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;

/**
 * An end of a connection that has no message credits left and gets none. Its writer places bytes, which the background
 * thread is to announce, while that thread finds that nothing is owed. For stress tests.
 */
public final class WriterAndSettling {
    /** A channel without events, which nobody can watch. */
    private static final CompletionChannel SILENT = new CompletionChannel() {
        @Override
        public SelectableChannel selectable() {
            try {
                return DescriptorChannels.closed();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long wakeUpNs() {
            return 0;
        }

        @Override
        public int drain() {
            return 0;
        }
    };

    private final ConnectionProgress progress;

    /** Nothing is owed, and the background thread has been asked to look. */
    public WriterAndSettling() {
        Endpoint end = MemoryEndpoint.pair()[0];
        QueuePair silent = with(QueuePair.class, end.queuePair(), "completionChannel", SILENT);
        progress = new ConnectionProgress(with(Endpoint.class, end, "queuePair", silent), alone(), false);
        for (int i = 1; i < MemoryEndpoint.DEPTH; i++) {
            write();
        }
        progress.asked.set(true);
    }

    /** {@return an {@code object} that answers one of its questions otherwise} */
    private static <T> T with(Class<T> type, T object, String question, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                WriterAndSettling.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals(question) ? answer : method.invoke(object, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** {@return the other parts of the connection: nobody closes, waits or selects} */
    private static ConnectionProgress.Owner alone() {
        return (ConnectionProgress.Owner) Proxy.newProxyInstance(
                WriterAndSettling.class.getClassLoader(),
                new Class<?>[] {ConnectionProgress.Owner.class},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? false : null);
    }

    private void write() {
        progress.engine.outgoing.trySend(ByteBuffer.allocate(1));
    }

    /** The writer. */
    public void writeAndAsk() {
        write();
        progress.settleLater();
    }

    /** The background thread. */
    public void settle() {
        progress.settle.run();
    }

    /** {@return whether bytes are to be announced} */
    public boolean owes() {
        return progress.engine.owesOutput();
    }

    /** {@return whether the background thread will look again} */
    public boolean isAsked() {
        return progress.asked.get();
    }

    /** From now on the background thread leaves the memory alone, which is for others. */
    public void end() {
        progress.life.go(Step.CLOSE);
        progress.life.go(Step.DISCONNECT);
        while (!progress.life.go(Step.RELEASE)) {
            Thread.onSpinWait();
        }
    }
}

package org.exsockets.compat.seams.programs.states;

import static org.exsockets.compat.seams.programs.states.Situation.bytes;
import static org.exsockets.compat.seams.programs.states.Situation.nowhere;
import static org.exsockets.compat.seams.programs.states.Situation.settle;
import static org.exsockets.compat.seams.programs.states.Situation.unresolved;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@link AsynchronousSocketChannel}. */
final class AsynchronousStates {
    /** More than any transport holds. Read from only. */
    private static final ByteBuffer LARGE = ByteBuffer.allocateDirect(1 << 24);

    private static final long COMPLETION_MS = 200;
    private static final long TIMEOUT_MS = 10;

    private AsynchronousStates() {}

    static Table<AsynchronousSocketChannel> table() {
        Table<AsynchronousSocketChannel> table =
                new Table<>("AsynchronousSocketChannel", AsynchronousSocketChannel::isOpen);
        addStates(table);
        addTransfers(table);
        addCalls(table);
        return table;
    }

    private static void add(
            Table<AsynchronousSocketChannel> table,
            String word,
            Table.Preparation<AsynchronousSocketChannel> preparation) {
        table.state(word, Situation::asynchronous, preparation);
    }

    private static void addUnconnected(
            Table<AsynchronousSocketChannel> table,
            String word,
            Table.Preparation<AsynchronousSocketChannel> preparation) {
        table.state(word, situation -> AsynchronousSocketChannel.open(), preparation);
    }

    private static void addStates(Table<AsynchronousSocketChannel> table) {
        addUnconnected(table, "new", (situation, channel) -> {});
        addUnconnected(
                table,
                "bound",
                (situation, channel) -> channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        addUnconnected(table, "closed, new", (situation, channel) -> channel.close());
        addUnconnected(table, "refused", (situation, channel) -> tell(channel.connect(nowhere())));
        add(table, "connected", (situation, channel) -> situation.peer());
        add(table, "not accepted", (situation, channel) -> {});
        add(table, "bytes", (situation, channel) -> situation.peerWrites(10));
        add(table, "bytes, peer's output shut", (situation, channel) -> {
            situation.peerWrites(10);
            situation.peerShutsOutput();
        });
        add(table, "input shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownInput();
        });
        add(table, "output shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
        });
        add(table, "both shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
            channel.shutdownInput();
        });
        add(table, "peer's output shut", (situation, channel) -> situation.peerShutsOutput());
        add(table, "peer closed", (situation, channel) -> situation.peerCloses());
        add(table, "written after the peer's close", (situation, channel) -> {
            situation.peerCloses();
            tell(channel.write(bytes(1)));
            settle();
        });
        add(table, "bytes, written after the peer's close", (situation, channel) -> {
            situation.peerWrites(10);
            situation.peerCloses();
            tell(channel.write(bytes(1)));
            settle();
        });
        add(table, "reset", (situation, channel) -> situation.peerResets());
        add(table, "reset was read", (situation, channel) -> {
            situation.peerResets();
            tell(channel.read(bytes(1)));
        });
        add(table, "reset was written", (situation, channel) -> {
            situation.peerResets();
            tell(channel.write(bytes(1)));
        });
        add(table, "output shut, reset", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
            situation.peerResets();
        });
        add(table, "input shut, reset", (situation, channel) -> {
            situation.peer();
            channel.shutdownInput();
            situation.peerResets();
        });
        add(table, "reading", (situation, channel) -> {
            situation.peer();
            channel.read(bytes(4));
        });
        add(table, "reading, peer closed", (situation, channel) -> {
            situation.peer();
            channel.read(bytes(4));
            settle();
            situation.peerCloses();
        });
        add(table, "reading, input shut", (situation, channel) -> {
            situation.peer();
            channel.read(bytes(4));
            channel.shutdownInput();
            settle();
        });
        add(table, "read was cancelled", (situation, channel) -> {
            situation.peer();
            channel.read(bytes(4)).cancel(false);
        });
        add(table, "read was cancelled with a close", (situation, channel) -> {
            situation.peer();
            channel.read(bytes(4)).cancel(true);
        });
        add(table, "read has timed out", (situation, channel) -> {
            situation.peer();
            Told<Integer> told = new Told<>();
            channel.read(bytes(4), TIMEOUT_MS, TimeUnit.MILLISECONDS, null, told);
            tell(told);
        });
        add(table, "writing", (situation, channel) -> {
            situation.peer();
            writing(channel);
        });
        add(table, "write was cancelled", (situation, channel) -> {
            situation.peer();
            writing(channel).cancel(false);
        });
        add(table, "closed", (situation, channel) -> {
            situation.peer();
            channel.close();
        });
    }

    /** Returns a write that is pending: one that has written a part is complete, and the way to the peer makes room behind it. */
    private static Future<Integer> writing(AsynchronousSocketChannel channel) throws InterruptedException {
        Future<Integer> write;
        do {
            write = channel.write(LARGE.duplicate());
            settle();
        } while (write.isDone());
        return write;
    }

    /** A handler that can be waited for. */
    private static final class Told<V> extends CompletableFuture<V> implements CompletionHandler<V, Void> {
        @Override
        public void completed(V result, Void attachment) {
            complete(result);
        }

        @Override
        public void failed(Throwable failure, Void attachment) {
            completeExceptionally(failure);
        }
    }

    /** Returns the result, the failure, or that there is neither. */
    private static Object tell(Future<?> outcome) throws InterruptedException {
        try {
            return outcome.get(Situation.stretched(COMPLETION_MS), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            return "pending";
        }
    }

    /** Begins an operation with a handler. */
    @FunctionalInterface
    private interface Begun<V> {
        void with(AsynchronousSocketChannel channel, Told<V> told);
    }

    private static <V> Table.Call<AsynchronousSocketChannel> told(Begun<V> begun) {
        return channel -> {
            Told<V> told = new Told<>();
            begun.with(channel, told);
            return tell(told);
        };
    }

    private static void addTransfers(Table<AsynchronousSocketChannel> table) {
        table.call("read", channel -> tell(channel.read(bytes(4))))
                .call("read nothing", channel -> tell(channel.read(bytes(0))))
                .call("read into a read-only buffer", channel -> tell(channel.read(bytes(4).asReadOnlyBuffer())))
                .call(
                        "read, with a handler",
                        AsynchronousStates.<Integer>told((channel, told) -> channel.read(bytes(4), null, told)))
                .call(
                        "timed read",
                        AsynchronousStates.<Integer>told((channel, told) ->
                                channel.read(bytes(4), TIMEOUT_MS, TimeUnit.MILLISECONDS, null, told)))
                .call(
                        "scatter",
                        AsynchronousStates.<Long>told((channel, told) -> channel.read(
                                new ByteBuffer[] {bytes(4), bytes(20)}, 0, 2, 0, TimeUnit.SECONDS, null, told)))
                .call(
                        "scatter into none",
                        AsynchronousStates.<Long>told((channel, told) ->
                                channel.read(new ByteBuffer[0], 0, 0, 0, TimeUnit.SECONDS, null, told)))
                .call("read, with no handler", channel -> {
                    channel.read(bytes(4), null, null);
                    return "begun";
                })
                .call("write", channel -> tell(channel.write(bytes(4))))
                .call("write nothing", channel -> tell(channel.write(bytes(0))))
                .call(
                        "write, with a handler",
                        AsynchronousStates.<Integer>told((channel, told) -> channel.write(bytes(4), null, told)))
                .call(
                        "gather",
                        AsynchronousStates.<Long>told((channel, told) -> channel.write(
                                new ByteBuffer[] {bytes(4), bytes(20)}, 0, 2, 0, TimeUnit.SECONDS, null, told)))
                .call("read behind a read", channel -> {
                    channel.read(bytes(4));
                    return tell(channel.read(bytes(4)));
                })
                .call("close behind a read", channel -> {
                    Future<Integer> read = channel.read(bytes(4));
                    channel.close();
                    return tell(read);
                })
                .call("shutdownInput behind a read", channel -> {
                    Future<Integer> read = channel.read(bytes(4));
                    channel.shutdownInput();
                    return tell(read);
                })
                .call("cancel of a read", channel -> {
                    Future<Integer> read = channel.read(bytes(4));
                    return read.cancel(false) + " " + channel.isOpen();
                });
    }

    private static void addCalls(Table<AsynchronousSocketChannel> table) {
        table.call("connect", channel -> tell(channel.connect(nowhere())))
                .call("connect unresolved", channel -> tell(channel.connect(unresolved())))
                .call("connect null", channel -> tell(channel.connect(null)))
                .call("bind null", channel -> channel.bind(null) == channel)
                .call("shutdownInput", channel -> channel.shutdownInput() == channel)
                .call("shutdownOutput", channel -> channel.shutdownOutput() == channel)
                .call("getLocalAddress", AsynchronousSocketChannel::getLocalAddress)
                .call("getRemoteAddress", AsynchronousSocketChannel::getRemoteAddress)
                .call("getOption", channel -> channel.getOption(StandardSocketOptions.TCP_NODELAY))
                .call("getOption bad", channel -> channel.getOption(StandardSocketOptions.SO_LINGER))
                .call("setOption", channel -> channel.setOption(StandardSocketOptions.TCP_NODELAY, true) == channel)
                .call("supportedOptions", channel -> SocketStates.names(channel.supportedOptions()))
                .call("close", channel -> {
                    channel.close();
                    return channel.isOpen();
                });
    }
}

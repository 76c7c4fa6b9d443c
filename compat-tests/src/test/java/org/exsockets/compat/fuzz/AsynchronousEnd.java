package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** An asynchronous socket channel. The thread of an operation waits until it is complete. */
final class AsynchronousEnd extends NetworkEnd<AsynchronousSocketChannel> {
    private static final int SHORT_MS = 200;

    private final Content content;
    private final Futures futures = new Futures();

    AsynchronousEnd(String name, AsynchronousSocketChannel channel) {
        super(channel);
        this.content = new Content(name);
    }

    static String accepted(String name, AsynchronousSocketChannel channel) throws Exception {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel.getRemoteAddress() + " " + Ends.add(name, new AsynchronousEnd(name, channel));
    }

    @Override
    String own(String verb, String[] arguments) throws Exception {
        String bulk = new Bulk(this::read, this::write, content).call(verb, arguments);
        if (bulk != null) {
            return bulk;
        }
        switch (verb) {
            case "connect":
                return connect(arguments[0]);
            case "read":
                return read(0, arguments, 0);
            case "timedread":
                return read(Integer.parseInt(arguments[0]), arguments, 1);
            case "futureread":
                Margins margins = Margins.of(arguments, 0);
                try {
                    return margins.read(futures.await("read", channel.read(margins.first())), content);
                } catch (ExecutionException e) {
                    return "future " + Calls.outcome(e.getCause());
                }
            case "futureput":
                return new Bulk(this::read, buffer -> futures.await("write", channel.write(buffer)), content)
                        .call("put", arguments);
            case "cancelread", "cancelwrite":
                return futures.cancel(verb.substring("cancel".length()), Boolean.parseBoolean(arguments[0]));
            case "write":
                return write(arguments);
            case "shutin":
                channel.shutdownInput();
                return "ok";
            case "shutout":
                channel.shutdownOutput();
                return "ok";
            default:
                return unknown();
        }
    }

    private String connect(String address) throws Exception {
        if (channel.isOpen()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        Completion<Void> connected = new Completion<>();
        channel.connect(Addresses.of(address), null, connected);
        connected.await();
        return "ok";
    }

    private String read(int timeoutMs, String[] arguments, int from) throws Exception {
        Margins margins = Margins.of(arguments, from);
        if (timeoutMs > 0 && timeoutMs <= SHORT_MS) {
            Calls.endsByItself();
        }
        if (margins.single()) {
            Completion<Integer> read = new Completion<>();
            channel.read(margins.first(), timeoutMs, TimeUnit.MILLISECONDS, null, read);
            return margins.read(read.await(), content);
        }
        Completion<Long> read = new Completion<>();
        ByteBuffer[] buffers = margins.buffers();
        channel.read(buffers, 0, buffers.length, timeoutMs, TimeUnit.MILLISECONDS, null, read);
        return margins.read(read.await(), content);
    }

    private String write(String[] arguments) throws Exception {
        Margins margins = Margins.of(arguments, 0);
        margins.fill(content);
        if (margins.single()) {
            Completion<Integer> written = new Completion<>();
            channel.write(margins.first(), null, written);
            return margins.written(written.await(), content);
        }
        Completion<Long> written = new Completion<>();
        ByteBuffer[] buffers = margins.buffers();
        channel.write(buffers, 0, buffers.length, 0, TimeUnit.MILLISECONDS, null, written);
        return margins.written(written.await(), content);
    }

    private int read(ByteBuffer buffer) throws Exception {
        Completion<Integer> read = new Completion<>();
        channel.read(buffer, null, read);
        return read.await();
    }

    private int write(ByteBuffer buffer) throws Exception {
        Completion<Integer> written = new Completion<>();
        channel.write(buffer, null, written);
        return written.await();
    }

    @Override
    String state() {
        return "";
    }

    @Override
    Object[] address() throws IOException {
        return new Object[] {channel.getLocalAddress(), channel.getRemoteAddress()};
    }
}

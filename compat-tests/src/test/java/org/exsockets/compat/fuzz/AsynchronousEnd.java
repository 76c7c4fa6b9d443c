package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** An asynchronous socket channel. The thread of an operation waits until it is complete. */
final class AsynchronousEnd implements End {
    private static final int SHORT_MS = 200;

    private final AsynchronousSocketChannel channel;
    private final Content content;

    AsynchronousEnd(String name, AsynchronousSocketChannel channel) {
        this.channel = channel;
        this.content = new Content(name);
    }

    static String accepted(String name, AsynchronousSocketChannel channel) throws Exception {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel.getRemoteAddress() + " " + Ends.add(name, new AsynchronousEnd(name, channel));
    }

    @Override
    public String call(String verb, String[] arguments) throws Exception {
        String bulk = new Bulk(this::read, this::write, content).call(verb, arguments);
        if (bulk != null) {
            return bulk;
        }
        switch (verb) {
            case "bind":
                channel.bind(Addresses.of(arguments[0]));
                return String.valueOf(channel.getLocalAddress());
            case "connect":
                return connect(arguments[0]);
            case "read":
                return read(0, arguments, 0);
            case "timedread":
                return read(Integer.parseInt(arguments[0]), arguments, 1);
            case "futureread":
                Margins margins = Margins.of(arguments, 0);
                try {
                    return margins.read(channel.read(margins.first()).get(), content);
                } catch (ExecutionException e) {
                    return "future " + Calls.outcome(e.getCause());
                }
            case "write":
                return write(arguments);
            case "shutin":
                channel.shutdownInput();
                return "ok";
            case "shutout":
                channel.shutdownOutput();
                return "ok";
            case "close":
                channel.close();
                return "ok";
            case "set":
                return Options.set(channel.supportedOptions(), channel::setOption, arguments);
            case "get":
                return Options.get(channel.supportedOptions(), channel::getOption, arguments[0]);
            case "options":
                return Options.names(channel.supportedOptions());
            case "state":
                return state();
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
        margins.fill(content, content.reserve(margins.size()));
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

    private String state() {
        String addresses;
        try {
            addresses = channel.getLocalAddress() + " " + channel.getRemoteAddress();
        } catch (IOException e) {
            addresses = Calls.outcome(e);
        }
        return (channel.isOpen() ? "open " : "closed ") + addresses + " " + channel;
    }

    @Override
    public boolean stands(Object other) {
        return other == channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package org.exsockets.bench.demo.program;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * One connection of the small-message exchange: sends a message, expects it back, checks it, sends the next. Owned by
 * its channel's event loop.
 */
final class EchoExchange extends FixedLengthFrameDecoder {
    static final int MESSAGE_BYTES = 64;

    private final int connection;
    private final int messages;
    private final Latencies latencies;
    private final CompletableFuture<Long> checksum;
    private int sent;
    private long sentAtNs;
    private long sum;

    /** @param checksum completed with a checksum of all messages received, or with the failure */
    EchoExchange(int connection, int messages, Latencies latencies, CompletableFuture<Long> checksum) {
        super(MESSAGE_BYTES);
        this.connection = connection;
        this.messages = messages;
        this.latencies = latencies;
        this.checksum = checksum;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        send(context);
    }

    @Override
    protected Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
        Object frame = super.decode(context, in);
        if (frame instanceof ByteBuf message) {
            try {
                receive(context, message);
            } finally {
                message.release();
            }
        }
        return null;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        checksum.completeExceptionally(failure);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        checksum.completeExceptionally(
                new IOException("connection " + connection + " closed: sent=" + sent + ", expected=" + messages));
    }

    private void send(ChannelHandlerContext context) {
        ByteBuf message = context.alloc().buffer(MESSAGE_BYTES);
        for (int word = 0; word < MESSAGE_BYTES / Long.BYTES; word++) {
            message.writeLong(word(sent, word));
        }
        sent++;
        sentAtNs = System.nanoTime();
        context.writeAndFlush(message);
    }

    private void receive(ChannelHandlerContext context, ByteBuf message) throws IOException {
        latencies.recordSince(sentAtNs);
        for (int word = 0; word < MESSAGE_BYTES / Long.BYTES; word++) {
            long read = message.readLong();
            if (read != word(sent - 1, word)) {
                throw new IOException("echo differs: connection=" + connection + ", message=" + (sent - 1) + ", word="
                        + word + ", read=" + read);
            }
            sum = sum * 31 + read;
        }
        if (sent < messages) {
            send(context);
        } else {
            checksum.complete(sum);
        }
    }

    private long word(int message, int word) {
        return ((long) connection << 48) + ((long) message << 8) + word;
    }
}

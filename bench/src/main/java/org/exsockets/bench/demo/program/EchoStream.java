package org.exsockets.bench.demo.program;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/**
 * Streams chunks of {@link Payload} through the echo as fast as the channel takes them, and checksums what comes back.
 * Owned by its channel's event loop.
 */
final class EchoStream extends ChannelInboundHandlerAdapter {
    private final Payload payload = new Payload();
    private final CRC32C crc = new CRC32C();
    private final long chunks;
    private final CompletableFuture<Long> received;
    private long sentChunks;
    private long receivedBytes;

    /** @param received completed with the CRC32C of all bytes, or with the failure */
    EchoStream(long chunks, CompletableFuture<Long> received) {
        this.chunks = chunks;
        this.received = received;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        sendWhileWritable(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        sendWhileWritable(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            receivedBytes += bytes.readableBytes();
            crc.update(bytes.nioBuffer());
        } finally {
            bytes.release();
        }
        if (receivedBytes == chunks * Payload.CHUNK_BYTES) {
            received.complete(crc.getValue());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        received.completeExceptionally(failure);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        received.completeExceptionally(new IOException("connection closed: sent=" + sentChunks * Payload.CHUNK_BYTES
                + ", received=" + receivedBytes + ", expected=" + chunks * Payload.CHUNK_BYTES));
    }

    private void sendWhileWritable(ChannelHandlerContext context) {
        while (sentChunks < chunks && context.channel().isWritable()) {
            ByteBuf chunk = context.alloc().directBuffer(Payload.CHUNK_BYTES);
            chunk.writeBytes(payload.chunk(sentChunks++));
            context.write(chunk);
        }
        context.flush();
    }
}

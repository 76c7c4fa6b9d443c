package org.exsockets.compat.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A test's handle to one connection in a peer process. Methods named {@code start...} return at once; the others
 * wait for the peer's answer and throw {@link PeerFailure} if its call threw. Any thread may use it.
 */
public final class PeerSocket {
    private final PeerJvm peer;
    private final String name;
    private final CompletableFuture<String> opened;

    PeerSocket(PeerJvm peer, String name, CompletableFuture<String> opened) {
        this.peer = peer;
        this.name = name;
        this.opened = opened;
    }

    /** Waits until the peer has the connection. */
    public PeerSocket awaitOpen() throws IOException {
        PeerJvm.await(opened);
        return this;
    }

    public InetSocketAddress localAddress() throws IOException {
        String[] words = PeerJvm.await(opened).split(" ");
        return new InetSocketAddress(words[0], Integer.parseInt(words[1]));
    }

    public InetSocketAddress remoteAddress() throws IOException {
        String[] words = PeerJvm.await(opened).split(" ");
        return new InetSocketAddress(words[2], Integer.parseInt(words[3]));
    }

    /** Writes the next bytes of the pattern. */
    public void write(long lengthBytes) throws IOException {
        PeerJvm.await(startWrite(lengthBytes));
    }

    /** Writes the next bytes of the pattern in pieces of at most {@code pieceBytes}. */
    public void write(long lengthBytes, int pieceBytes) throws IOException {
        PeerJvm.await(send("write", lengthBytes, pieceBytes));
    }

    public CompletableFuture<String> startWrite(long lengthBytes) throws IOException {
        return send("write", lengthBytes, 64 * 1024);
    }

    /** As {@link #write(long, int)}. */
    public CompletableFuture<String> startWrite(long lengthBytes, int pieceBytes) throws IOException {
        return send("write", lengthBytes, pieceBytes);
    }

    /** Reads and checks the next bytes of the pattern. */
    public void read(long lengthBytes) throws IOException {
        PeerJvm.await(startRead(lengthBytes));
    }

    public CompletableFuture<String> startRead(long lengthBytes) throws IOException {
        return send("read", lengthBytes);
    }

    /** Reads and checks until the end of the stream; returns how many bytes the peer has read on this connection. */
    public long readToEnd() throws IOException {
        return Long.parseLong(PeerJvm.await(startReadToEnd()));
    }

    public CompletableFuture<String> startReadToEnd() throws IOException {
        return send("readToEnd");
    }

    /** Sends back whatever comes until the end of the stream, then ends the other direction. */
    public CompletableFuture<String> startEcho() throws IOException {
        return send("echo");
    }

    public void shutdownOutput() throws IOException {
        PeerJvm.await(send("shutdownOutput"));
    }

    public void shutdownInput() throws IOException {
        PeerJvm.await(send("shutdownInput"));
    }

    /** SO_LINGER 0. */
    public void lingerNot() throws IOException {
        PeerJvm.await(send("lingerNot"));
    }

    public void close() throws IOException {
        PeerJvm.await(send("close"));
    }

    /** Closes with a reset. */
    public void abort() throws IOException {
        PeerJvm.await(send("abort"));
    }

    private CompletableFuture<String> send(String command, Object... arguments) throws IOException {
        PeerJvm.await(opened);
        return peer.send(command, name, arguments);
    }
}

package org.exsockets.nio;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** Sockets need an implementation; an adaptor overrides every method that would use it. */
final class UnusedSocketImpl extends SocketImpl {
    private static <T> T unused() {
        throw new IllegalStateException("socket adaptor: method not overridden");
    }

    @Override
    protected void create(boolean stream) {
        unused();
    }

    @Override
    protected void connect(String host, int port) {
        unused();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        unused();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) {
        unused();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        unused();
    }

    @Override
    protected void listen(int backlog) {
        unused();
    }

    @Override
    protected void accept(SocketImpl target) {
        unused();
    }

    @Override
    protected InputStream getInputStream() {
        return unused();
    }

    @Override
    protected OutputStream getOutputStream() {
        return unused();
    }

    @Override
    protected int available() {
        return unused();
    }

    @Override
    protected void close() {
        unused();
    }

    @Override
    protected void sendUrgentData(int data) {
        unused();
    }

    @Override
    public void setOption(int id, Object value) {
        unused();
    }

    @Override
    public Object getOption(int id) {
        return unused();
    }
}

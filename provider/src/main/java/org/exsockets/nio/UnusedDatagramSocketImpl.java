package org.exsockets.nio;

import java.net.DatagramPacket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;

/** {@link java.net.DatagramSocket} wants an implementation; an adaptor overrides every method that would use it. */
final class UnusedDatagramSocketImpl extends DatagramSocketImpl {
    private static <T> T unused() {
        throw new IllegalStateException("datagram socket adaptor: method not overridden");
    }

    @Override
    protected void create() {
        unused();
    }

    @Override
    protected void bind(int port, InetAddress local) {
        unused();
    }

    @Override
    protected void send(DatagramPacket packet) {
        unused();
    }

    @Override
    protected int peek(InetAddress sender) {
        return unused();
    }

    @Override
    protected int peekData(DatagramPacket packet) {
        return unused();
    }

    @Override
    protected void receive(DatagramPacket packet) {
        unused();
    }

    @Override
    @Deprecated
    protected void setTTL(byte ttl) {
        unused();
    }

    @Override
    @Deprecated
    protected byte getTTL() {
        return unused();
    }

    @Override
    protected void setTimeToLive(int ttl) {
        unused();
    }

    @Override
    protected int getTimeToLive() {
        return unused();
    }

    @Override
    protected void join(InetAddress group) {
        unused();
    }

    @Override
    protected void leave(InetAddress group) {
        unused();
    }

    @Override
    protected void joinGroup(SocketAddress group, NetworkInterface nif) {
        unused();
    }

    @Override
    protected void leaveGroup(SocketAddress group, NetworkInterface nif) {
        unused();
    }

    @Override
    protected void close() {
        unused();
    }

    @Override
    public void setOption(int option, Object value) {
        unused();
    }

    @Override
    public Object getOption(int option) {
        return unused();
    }
}

package org.exsockets.nio;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import java.util.Set;

/**
 * A wrapped datagram channel as a socket. Everything is left to the adaptor of the JDK's channel inside, but for the
 * channel it names and for closing: both are the wrapper's. Thread-safe.
 */
final class ExsDatagramSocketAdaptor extends DatagramSocket {
    private final ExsDatagramChannel channel;
    private final DatagramSocket jdk;

    ExsDatagramSocketAdaptor(ExsDatagramChannel channel, DatagramSocket jdk) {
        super(new UnusedDatagramSocketImpl());
        this.channel = channel;
        this.jdk = jdk;
    }

    @Override
    public DatagramChannel getChannel() {
        return channel;
    }

    /** Closes the channel, too, and cancels its keys. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("datagram socket: close failed", e);
        }
    }

    @Override
    public boolean isClosed() {
        return jdk.isClosed();
    }

    // Addresses.

    @Override
    public void bind(SocketAddress local) throws SocketException {
        jdk.bind(local);
    }

    @Override
    public void connect(InetAddress address, int port) {
        jdk.connect(address, port);
    }

    @Override
    public void connect(SocketAddress remote) throws SocketException {
        jdk.connect(remote);
    }

    @Override
    public void disconnect() {
        jdk.disconnect();
    }

    @Override
    public boolean isBound() {
        return jdk.isBound();
    }

    @Override
    public boolean isConnected() {
        return jdk.isConnected();
    }

    @Override
    public InetAddress getInetAddress() {
        return jdk.getInetAddress();
    }

    @Override
    public int getPort() {
        return jdk.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return jdk.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return jdk.getLocalSocketAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return jdk.getLocalAddress();
    }

    @Override
    public int getLocalPort() {
        return jdk.getLocalPort();
    }

    // Transfer.

    @Override
    public void send(DatagramPacket packet) throws IOException {
        try {
            jdk.send(packet);
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
    }

    @Override
    public void receive(DatagramPacket packet) throws IOException {
        try {
            jdk.receive(packet);
        } catch (IOException e) {
            throw channel.closedWith(e);
        }
    }

    // Groups and options.

    @Override
    public void joinGroup(SocketAddress group, NetworkInterface nif) throws IOException {
        jdk.joinGroup(group, nif);
    }

    @Override
    public void leaveGroup(SocketAddress group, NetworkInterface nif) throws IOException {
        jdk.leaveGroup(group, nif);
    }

    @Override
    public void setSoTimeout(int timeoutMs) throws SocketException {
        jdk.setSoTimeout(timeoutMs);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return jdk.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int lengthBytes) throws SocketException {
        jdk.setSendBufferSize(lengthBytes);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return jdk.getSendBufferSize();
    }

    @Override
    public void setReceiveBufferSize(int lengthBytes) throws SocketException {
        jdk.setReceiveBufferSize(lengthBytes);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return jdk.getReceiveBufferSize();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        jdk.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return jdk.getReuseAddress();
    }

    @Override
    public void setBroadcast(boolean on) throws SocketException {
        jdk.setBroadcast(on);
    }

    @Override
    public boolean getBroadcast() throws SocketException {
        return jdk.getBroadcast();
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        jdk.setTrafficClass(trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return jdk.getTrafficClass();
    }

    @Override
    public <T> DatagramSocket setOption(SocketOption<T> name, T value) throws IOException {
        jdk.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return jdk.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return jdk.supportedOptions();
    }
}

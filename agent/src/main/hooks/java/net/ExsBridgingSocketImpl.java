package java.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;
import sun.net.PlatformSocketImpl;

/**
 * Passes for one of the platform's socket implementations and forwards everything to another one.
 *
 * <p>The JDK treats socket implementations that carry the {@link PlatformSocketImpl} mark differently: only they may sit
 * behind a SOCKS proxy, and a server socket accepts only into its like. The mark is out of reach for classes outside
 * java.base, hence this bridge. Of its own inherited fields only {@code fd} is used, where native libraries look for the
 * descriptor of a connection: the target has it if that is TCP. Threads: those of the target.
 */
final class ExsBridgingSocketImpl extends SocketImpl implements PlatformSocketImpl {
    /** Changes at most once, in the accepting thread, before the socket is published. */
    private SocketImpl target;

    private final SocketImpl platform;

    ExsBridgingSocketImpl(SocketImpl target, SocketImpl platform) {
        this.target = target;
        this.platform = platform;
    }

    /** Drops the target, which has not been used yet, in favour of the platform's implementation. */
    SocketImpl revertToPlatform() {
        target = platform;
        return platform;
    }

    @Override
    protected void create(boolean stream) throws IOException {
        target.create(stream);
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        target.connect(host, port);
        fd = target.fd;
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        target.connect(address, port);
        fd = target.fd;
    }

    @Override
    protected void connect(SocketAddress address, int timeoutMs) throws IOException {
        target.connect(address, timeoutMs);
        fd = target.fd;
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        target.bind(host, port);
    }

    @Override
    protected void listen(int backlog) throws IOException {
        target.listen(backlog);
    }

    /** Targets see each other, never the bridge: the platform's {@code accept} insists on its own class. */
    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        if (accepted instanceof ExsBridgingSocketImpl bridge) {
            target.accept(bridge.target);
            bridge.fd = bridge.target.fd;
        } else {
            target.accept(accepted);
        }
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return target.getInputStream();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return target.getOutputStream();
    }

    @Override
    protected int available() throws IOException {
        return target.available();
    }

    @Override
    protected void close() throws IOException {
        target.close();
    }

    @Override
    protected void shutdownInput() throws IOException {
        target.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        target.shutdownOutput();
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        return target.fd;
    }

    @Override
    protected InetAddress getInetAddress() {
        return target.getInetAddress();
    }

    @Override
    protected int getPort() {
        return target.getPort();
    }

    @Override
    protected int getLocalPort() {
        return target.getLocalPort();
    }

    @Override
    protected boolean supportsUrgentData() {
        return target.supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        target.sendUrgentData(data);
    }

    @Override
    public void setOption(int optionId, Object value) throws SocketException {
        target.setOption(optionId, value);
    }

    @Override
    public Object getOption(int optionId) throws SocketException {
        return target.getOption(optionId);
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        target.setOption(name, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        return target.getOption(name);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return target.supportedOptions();
    }

    @Override
    protected void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        target.setPerformancePreferences(connectionTime, latency, bandwidth);
    }

    @Override
    public String toString() {
        return target.toString();
    }
}

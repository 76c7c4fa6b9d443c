package org.exsockets.install;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.util.Set;

/** Stands in front of a platform socket implementation, which it calls by reflection. */
final class SocketImplDouble extends SocketImpl {
    private final SocketImpl platform;

    SocketImplDouble(SocketImpl platform) {
        this.platform = platform;
    }

    @Override
    protected void create(boolean stream) throws IOException {
        call("create", boolean.class, stream);
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        call("connect", String.class, host, int.class, port);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        call("connect", InetAddress.class, address, int.class, port);
    }

    @Override
    protected void connect(SocketAddress address, int timeoutMs) throws IOException {
        call("connect", SocketAddress.class, address, int.class, timeoutMs);
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        call("bind", InetAddress.class, host, int.class, port);
    }

    @Override
    protected void listen(int backlog) throws IOException {
        call("listen", int.class, backlog);
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        call("accept", SocketImpl.class, ((SocketImplDouble) accepted).platform);
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return (InputStream) call("getInputStream");
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return (OutputStream) call("getOutputStream");
    }

    @Override
    protected int available() throws IOException {
        return (int) call("available");
    }

    @Override
    protected void close() throws IOException {
        call("close");
    }

    @Override
    protected void shutdownInput() throws IOException {
        call("shutdownInput");
    }

    @Override
    protected void shutdownOutput() throws IOException {
        call("shutdownOutput");
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        return (FileDescriptor) callQuietly("getFileDescriptor");
    }

    @Override
    protected InetAddress getInetAddress() {
        return (InetAddress) callQuietly("getInetAddress");
    }

    @Override
    protected int getPort() {
        return (int) callQuietly("getPort");
    }

    @Override
    protected int getLocalPort() {
        return (int) callQuietly("getLocalPort");
    }

    @Override
    protected boolean supportsUrgentData() {
        return (boolean) callQuietly("supportsUrgentData");
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        call("sendUrgentData", int.class, data);
    }

    @Override
    public void setOption(int optionId, Object value) throws SocketException {
        platform.setOption(optionId, value);
    }

    @Override
    public Object getOption(int optionId) throws SocketException {
        return platform.getOption(optionId);
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        call("setOption", SocketOption.class, name, Object.class, value);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        return (T) call("getOption", SocketOption.class, name);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected Set<SocketOption<?>> supportedOptions() {
        return (Set<SocketOption<?>>) callQuietly("supportedOptions");
    }

    private Object callQuietly(String name) {
        try {
            return call(name);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object call(String name, Object... typesAndArguments) throws IOException {
        Class<?>[] types = new Class<?>[typesAndArguments.length / 2];
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = (Class<?>) typesAndArguments[2 * i];
            arguments[i] = typesAndArguments[2 * i + 1];
        }
        try {
            Method method = SocketImpl.class.getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(platform, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}

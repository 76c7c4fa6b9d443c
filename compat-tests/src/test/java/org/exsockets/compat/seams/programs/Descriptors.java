package org.exsockets.compat.seams.programs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Looks for the descriptors of both ends of a connection where native TLS libraries do: in the field {@code fd} of a
 * socket's implementation, or of the one that this has in its own field {@code delegate}. Says of each whether it is
 * the one of that connection. Needs {@code java.net} and {@code java.io} open.
 */
public final class Descriptors {
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private Descriptors() {}

    public static void main(String[] arguments) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            System.out.println("connected " + descriptor(client));
            System.out.println("accepted " + descriptor(accepted));
        }
        acceptAsImplementationsDo();
    }

    /** A program's own implementations may have the platform's behind them, and take what these accept. */
    private static void acceptAsImplementationsDo() throws Exception {
        SocketImpl listener = (SocketImpl) call(null, "createPlatformSocketImpl", true);
        call(listener, "create", true);
        call(listener, "bind", InetAddress.getLoopbackAddress(), 0);
        call(listener, "listen", 5);
        int port = (Integer) call(listener, "getLocalPort");
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            SocketImpl accepted = (SocketImpl) call(null, "createPlatformSocketImpl", false);
            call(listener, "accept", accepted);
            FileDescriptor descriptor = (FileDescriptor) call(accepted, "getFileDescriptor");
            System.out.println("implementation " + descriptor(descriptor, port, client.getLocalPort()));
            call(accepted, "close");
        }
        call(listener, "close");
    }

    private static Object call(SocketImpl implementation, String name, Object... arguments) throws Exception {
        for (Method method : SocketImpl.class.getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                method.setAccessible(true);
                return method.invoke(implementation, arguments);
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static String descriptor(Socket socket) throws Exception {
        SocketImpl implementation = (SocketImpl) field(Socket.class, "impl").get(socket);
        Class<?> delegating = Class.forName("java.net.DelegatingSocketImpl");
        if (delegating.isInstance(implementation)) {
            implementation = (SocketImpl) field(delegating, "delegate").get(implementation);
        }
        FileDescriptor descriptor =
                (FileDescriptor) field(SocketImpl.class, "fd").get(implementation);
        return descriptor(descriptor, socket.getLocalPort(), socket.getPort());
    }

    private static String descriptor(FileDescriptor descriptor, int localPort, int remotePort) throws Exception {
        if (descriptor == null) {
            return "none";
        }
        return kind(field(FileDescriptor.class, "fd").getInt(descriptor), localPort, remotePort);
    }

    private static Field field(Class<?> of, String name) throws NoSuchFieldException {
        Field field = of.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static String kind(int number, int localPort, int remotePort) throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/self/fd/" + number)).toString();
        String inode = link.replaceAll("\\D", "");
        for (String table : List.of("/proc/self/net/tcp6", "/proc/self/net/tcp")) {
            for (String line : Files.exists(Path.of(table)) ? Files.readAllLines(Path.of(table)) : List.<String>of()) {
                String[] words = line.trim().split("\\s+");
                if (words[INODE].equals(inode)) {
                    return leads(words[LOCAL], localPort) && leads(words[REMOTE], remotePort)
                            ? "its own"
                            : "of another connection";
                }
            }
        }
        return link;
    }

    private static boolean leads(String address, int port) {
        return address.endsWith(String.format(":%04X", port));
    }
}

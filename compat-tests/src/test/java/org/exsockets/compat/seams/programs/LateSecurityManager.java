package org.exsockets.compat.seams.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.Permission;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** Sets a security manager when it has listeners already, and prints what that is asked for and what it prevents. */
@SuppressWarnings("removal")
public final class LateSecurityManager {
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private static final List<String> DENIED = List.of("nothing", "connect", "accept", "listen");

    private static final Manager MANAGER = new Manager();

    /** Of the thread that is being watched. */
    private static final ThreadLocal<Set<String>> ASKED = new ThreadLocal<>();

    private LateSecurityManager() {}

    /** Denies one action on sockets, and notes what it is asked for. */
    private static final class Manager extends SecurityManager {
        private volatile String denied = "nothing";

        @Override
        public void checkPermission(Permission permission) {
            Set<String> asked = ASKED.get();
            if (asked == null || !permission.getClass().getSimpleName().equals("SocketPermission")) {
                return;
            }
            String action = permission.getActions();
            if (action.equals("resolve")) {
                return; // Whether an address may be told; who may not know it is told another.
            }
            asked.add(permission.getName().replaceAll(":\\d+", "") + " " + action);
            if (action.startsWith(denied)) {
                throw new SecurityException("denied: " + action);
            }
        }

        @Override
        public void checkPermission(Permission permission, Object context) {
            checkPermission(permission);
        }
    }

    private static void tell(String what, Callable<?> call) {
        for (String denied : DENIED) {
            MANAGER.denied = denied;
            Set<String> asked = new TreeSet<>();
            ASKED.set(asked);
            String outcome;
            try {
                call.call();
                outcome = "done";
            } catch (Exception e) {
                Throwable thrown = e instanceof ExecutionException ? e.getCause() : e;
                outcome = thrown.toString();
            } finally {
                ASKED.remove();
            }
            System.out.println(what + ", " + denied + " denied: " + outcome + (denied.equals("nothing") ? asked : ""));
        }
    }

    /** Returns a client that nobody has watched. */
    private static SocketChannel client(SocketAddress address) throws Exception {
        Set<String> asked = ASKED.get();
        ASKED.remove();
        try {
            return SocketChannel.open(address);
        } finally {
            ASKED.set(asked);
        }
    }

    /** Runs the program. */
    public static void main(String[] arguments) throws Exception {
        ServerSocketChannel channel = ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0));
        ServerSocket socket = new ServerSocket(0, 50, HOST);
        AsynchronousServerSocketChannel asynchronous =
                AsynchronousServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0));
        // Over EXS, if that is what there is: accepted when there is a manager.
        for (int i = 0; i < DENIED.size(); i++) {
            SocketChannel.open(channel.getLocalAddress());
        }
        System.setSecurityManager(MANAGER);
        tell("channel accepts", () -> {
            channel.accept().close();
            return "";
        });
        SocketAddress remote = channel.getLocalAddress();
        tell("channel connects", () -> {
            SocketChannel.open(remote).close();
            return "";
        });
        tell("socket connects", () -> {
            new Socket(HOST, socket.getLocalPort()).close();
            return "";
        });
        SocketAddress asynchronously = asynchronous.getLocalAddress();
        tell("asynchronous channel connects", () -> {
            try (AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
                return client.connect(asynchronously).get();
            }
        });
        tell("channel listens", () -> {
            ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)).close();
            return "";
        });
        tell("socket listens", () -> {
            new ServerSocket(0, 5, HOST).close();
            return "";
        });
        tell("socket accepts", () -> {
            try (SocketChannel client = client(socket.getLocalSocketAddress());
                    Socket accepted = socket.accept()) {
                return accepted.getPort() + client.validOps();
            }
        });
        System.setSecurityManager(new SecurityManager()); // Asks the policy, which does not grant a program much.
        System.out.println("adaptors: " + ServerSocketChannel.open().socket().isBound()
                + SocketChannel.open().socket().isBound());
        System.exit(0); // With the manager in force, so that what is written at the end is none of its business.
    }
}

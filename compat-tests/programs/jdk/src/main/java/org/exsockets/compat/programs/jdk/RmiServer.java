package org.exsockets.compat.programs.jdk;

import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import org.exsockets.compat.programs.driver.Content;
import org.exsockets.compat.programs.driver.Driver;
import org.exsockets.compat.programs.driver.Ports;

/** An RMI registry with two ledgers: one over ordinary sockets, one over {@code SSLSocket}s. */
public final class RmiServer {
    private RmiServer() {}

    public static void main(String[] arguments) {
        Driver.serve(() -> {
            int port = Ports.unused();
            Registry registry = LocateRegistry.createRegistry(port);
            Ledger plain = new LocalLedger();
            Ledger tls = new LocalLedger();
            registry.rebind("plain", UnicastRemoteObject.exportObject(plain, 0));
            registry.rebind(
                    "tls",
                    UnicastRemoteObject.exportObject(
                            tls, 0, new SslRMIClientSocketFactory(), new SslRMIServerSocketFactory()));
            return new Driver.Running(() -> unexport(plain, tls, registry), port);
        });
    }

    private static void unexport(Remote... objects) throws NoSuchObjectException {
        for (Remote object : objects) {
            UnicastRemoteObject.unexportObject(object, true);
        }
    }

    private static final class LocalLedger implements Ledger {
        private final List<String> entries = new ArrayList<>();

        @Override
        public synchronized int add(String entry) {
            entries.add(entry);
            return entries.size();
        }

        @Override
        public synchronized List<String> entries() {
            return new ArrayList<>(entries);
        }

        @Override
        public String hash(byte[] content) {
            return Content.hash(content);
        }

        @Override
        public byte[] content(int length) {
            return Content.bytes(length, length);
        }

        @Override
        public void forEach(Reader reader) throws RemoteException {
            for (String entry : entries()) {
                reader.read(entry);
            }
        }

        @Override
        public void fail() {
            throw new IllegalStateException("as it must");
        }
    }
}

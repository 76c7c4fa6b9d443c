package org.exsockets.compat.programs.jdk;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** A remote object that keeps entries. */
public interface Ledger extends Remote {
    /** Adds an entry and returns how many there are. */
    int add(String entry) throws RemoteException;

    /** {@return all entries} */
    List<String> entries() throws RemoteException;

    /** {@return the digest of the content} */
    String hash(byte[] content) throws RemoteException;

    /** {@return content that follows from a seed} */
    byte[] content(int length) throws RemoteException;

    /** Calls back, into the client, for each entry. */
    void forEach(Reader reader) throws RemoteException;

    /** Always fails. */
    void fail() throws RemoteException;

    /** What the client exports. */
    interface Reader extends Remote {
        void read(String entry) throws RemoteException;
    }
}

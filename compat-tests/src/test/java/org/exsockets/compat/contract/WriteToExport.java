package org.exsockets.compat.contract;

import java.net.InetSocketAddress;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.api.SocketType;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerProgram;

/**
 * Is told the number and the length of an export in a packet of eight bytes, fills it with the pattern in pieces, each
 * with a notification, tries to write beyond its end, waits for another packet, and tries to write again. Says how the two
 * attempts ended. Arguments: host, port, bytes of a piece.
 */
public final class WriteToExport implements PeerProgram {
    @Override
    public String run(String[] arguments) throws Exception {
        InetSocketAddress there = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int piece = Integer.parseInt(arguments[2]);
        try (EsHost host = new EsHost();
                ExsSocket socket = host.connect(SocketType.SEQPACKET, there)) {
            ExsMemory told = ExsMemory.allocate(8);
            host.done(host.receive(socket, told));
            int number = told.buffer().getInt(0);
            int length = told.buffer().getInt(4);
            ExsMemory source = ExsMemory.allocate(length);
            source.buffer().put(Pattern.bytes(0, length));
            for (int at = 0; at < length; at += piece) {
                int n = Math.min(piece, length - at);
                host.done(socket.write(number, at, source, at, n, ExsSocket.MSG_NOTIFY, host.queue(), null));
            }
            String beyond = attempt(host, socket, number, length - 1, source, 2);
            host.done(host.receive(socket, told));
            return beyond + " " + attempt(host, socket, number, 0, source, 1);
        }
    }

    private static String attempt(EsHost host, ExsSocket socket, int number, long at, ExsMemory source, int length)
            throws Exception {
        socket.write(number, at, source, 0, length, 0, host.queue(), null);
        Event event = host.next();
        return event.status() + ":"
                + (event.failure() == null ? "" : event.failure().getClass().getSimpleName());
    }
}

package org.exsockets.connection;

import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.observe.Description;
import org.exsockets.observe.Traffic;
import org.exsockets.stream.StreamEngine;

/**
 * What a connection tells of itself. Any thread, without a lock: each value is of a moment of its own. Keeps nothing
 * from going on.
 */
final class ConnectionDescription {
    private ConnectionDescription() {}

    /** @param turns the calls of the program that have theirs: read, write */
    static void put(Description into, ConnectionProgress progress, String turns, boolean selected, long ageSeconds) {
        StreamEngine engine = progress.engine;
        Traffic traffic = progress.traffic;
        into.put("state", state(progress));
        into.put("local", Description.address(progress.endpoint.localAddress()));
        into.put("peer", Description.address(progress.endpoint.remoteAddress()));
        into.put("device", progress.endpoint.device());
        into.put("unread_bytes", engine.incoming.readableBytes());
        into.put("unacked_bytes", engine.outgoing.unacknowledgedBytes());
        into.put("in_direct_bytes", traffic.bytesReceivedDirect);
        into.put("in_indirect_bytes", traffic.bytesReceivedIndirect);
        into.put("out_direct_bytes", traffic.bytesSentDirect);
        into.put("out_indirect_bytes", traffic.bytesSentIndirect);
        into.put("age_s", ageSeconds);
        into.put("reader", progress.waiters.reading());
        into.put("writer", progress.waiters.writing());
        into.put("turns", turns);
        into.put("selected", selected ? 1 : 0);
        into.put("sleeps", progress.waiters.sleeps());
        into.put("spins", progress.waiters.spins());
        into.put("writable_bytes", engine.outgoing.writableBytes());
        into.put("in_buffer_bytes", engine.incoming.hiddenBytes());
        into.put("out_buffer_bytes", engine.outgoing.hiddenBytes());
        into.put("few_credits", engine.outgoing.lacksCredits() ? 1 : 0);
        into.put("owes", engine.owesOutput() ? 1 : 0);
        into.put("life", progress.life.toString());
        if (progress.pin()) {
            try {
                into.put("arrived", progress.hasCompletions() ? 1 : 0);
            } finally {
                progress.unpin();
            }
        }
    }

    /** {@return the state, by the names that ss(8) has for those of TCP} */
    private static String state(ConnectionProgress progress) {
        boolean outputOver = progress.life.isOutputOver();
        boolean inputOver = progress.engine.incoming.finArrived() || progress.life.isPeerOver();
        if (progress.life.isReset()) {
            return "RESET";
        }
        if (outputOver) {
            return inputOver ? "CLOSING" : "FIN-WAIT";
        }
        return inputOver ? "CLOSE-WAIT" : "ESTAB";
    }
}

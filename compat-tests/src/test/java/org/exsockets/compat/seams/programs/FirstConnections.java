package org.exsockets.compat.seams.programs;

/** The first connections of a program, as those of a {@link Conversation}: sockets, then channels with a selector. */
public final class FirstConnections {
    private FirstConnections() {}

    public static void main(String[] args) throws Exception {
        System.out.println("exchanged " + (Conversation.sockets() + Conversation.channels()));
    }
}

package org.exsockets.compat.seams.programs;

/**
 * The first connections of a program, as those of a {@link Conversation}: sockets, then channels with a selector; with
 * the argument {@code sockets} no channels.
 */
public final class FirstConnections {
    private FirstConnections() {}

    public static void main(String[] args) throws Exception {
        boolean channels = args.length == 0;
        System.out.println("exchanged " + (Conversation.sockets() + (channels ? Conversation.channels() : 0)));
    }
}

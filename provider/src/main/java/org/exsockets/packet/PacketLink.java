package org.exsockets.packet;

import java.nio.ByteBuffer;
import org.exsockets.stream.link.EndpointLink;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.wire.MessageDescriptor;
import org.exsockets.wire.PacketMessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What both directions of a packet connection share. Belongs to the engine. One message is enough: the device has
 * taken it when a post returns, and all posts are made under the lock of the engine's owner.
 */
final class PacketLink extends EndpointLink {
    final PacketRules rules;
    final PacketListener listener;

    /** Null: neither end reaches memory of the other one's program. */
    final @Nullable DirectAccess direct;

    /** Staging of the peer. */
    final RemoteRegion remote;

    private final ByteBuffer message = MessageDescriptor.allocate(1);

    PacketLink(Endpoint endpoint, PacketRules rules, PacketListener listener) {
        super(endpoint, rules.credits(endpoint.receiveDepth()));
        this.rules = rules;
        this.listener = listener;
        this.direct = endpoint.direct();
        this.remote = endpoint.remote();
    }

    /** Posts a message without memory, for which the caller has taken a credit. */
    void send(int type, int id, long total) {
        send(type, id, total, 0, 0, 0, 0);
    }

    /** As {@link #send(int, int, long)}, with memory. */
    void send(int type, int id, long total, long address, int rkey, int offset, long length) {
        MessageDescriptor.encode(message, 0, type, credits.takeOwed(Short.MAX_VALUE), id, total);
        PacketMessageDescriptor.memory(message, 0, address, rkey, offset, length);
        send(message, false);
    }

    /** {@return whether there is no failure, and posts are possible} */
    boolean works() {
        return failure() == null && !queuePair.inError();
    }
}

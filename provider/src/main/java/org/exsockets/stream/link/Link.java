package org.exsockets.stream.link;

import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.jspecify.annotations.Nullable;

/** What both directions of a stream share. Any thread. */
public final class Link extends EndpointLink {
    public final Rules rules;
    public final StreamListener listener;

    /** What makes room when a hidden buffer is full: one of both, or neither. */
    public final MoreRoom.@Nullable Shared shared;

    public final MoreRoom.@Nullable Exposing exposing;

    public Link(Endpoint endpoint, Rules rules, StreamListener listener) {
        super(endpoint, new MessageCredits(endpoint.receiveDepth(), rules));
        this.rules = rules;
        this.listener = listener;
        MoreRoom room = endpoint.moreRoom();
        this.shared = room instanceof MoreRoom.Shared both ? both : null;
        this.exposing = room instanceof MoreRoom.Exposing readers ? readers : null;
    }
}

package org.exsockets.stream.link;

import org.exsockets.verbs.Endpoint;

/** What both directions of a stream share. Any thread. */
public final class Link extends EndpointLink {
    public final Rules rules;
    public final StreamListener listener;

    public Link(Endpoint endpoint, Rules rules, StreamListener listener) {
        super(endpoint, new MessageCredits(endpoint.receiveDepth(), rules));
        this.rules = rules;
        this.listener = listener;
    }
}

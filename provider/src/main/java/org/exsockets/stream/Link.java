package org.exsockets.stream;

import org.exsockets.verbs.Endpoint;

/** What both directions of a stream share. Any thread. */
final class Link extends EndpointLink {
    final Rules rules;
    final StreamListener listener;

    Link(Endpoint endpoint, Rules rules, StreamListener listener) {
        super(endpoint, new MessageCredits(endpoint.receiveDepth(), rules));
        this.rules = rules;
        this.listener = listener;
    }
}

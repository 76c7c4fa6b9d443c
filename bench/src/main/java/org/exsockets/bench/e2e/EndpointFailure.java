package org.exsockets.bench.e2e;

/** A child hung, ended or reported a failure. The pair cannot be used any more. */
final class EndpointFailure extends Exception {
    private static final long serialVersionUID = 1L;

    EndpointFailure(String message) {
        super(message);
    }
}

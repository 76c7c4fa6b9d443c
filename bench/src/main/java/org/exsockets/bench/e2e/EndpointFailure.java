package org.exsockets.bench.e2e;

/** A child did not do what it was told: it hung, died or reported a failure. The pair is of no more use. */
final class EndpointFailure extends Exception {
    private static final long serialVersionUID = 1L;

    EndpointFailure(String message) {
        super(message);
    }
}

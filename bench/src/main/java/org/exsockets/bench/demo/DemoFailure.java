package org.exsockets.bench.demo;

/** The demonstration failed; the message is complete and meant for the user. */
final class DemoFailure extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailure(String message) {
        super(message);
    }

    DemoFailure(String message, Throwable cause) {
        super(message, cause);
    }
}

package org.exsockets.bench.e2e.endpoint;

/** The program whose start shows what the agent adds. */
public final class HelloWorld {
    /** All that it prints. */
    public static final String LINE = "Hello, world";

    private HelloWorld() {}

    public static void main(String[] args) {
        System.out.println(LINE);
    }
}

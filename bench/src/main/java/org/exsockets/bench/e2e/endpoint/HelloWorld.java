package org.exsockets.bench.e2e.endpoint;

/** The program whose start shows what the agent adds. */
public final class HelloWorld {
    private HelloWorld() {}

    public static void main(String[] args) {
        System.out.println("Hello, world");
    }
}

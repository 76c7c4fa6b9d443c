package org.exsockets.agent.programs;

/** Prints {@code hello} on both streams. */
public final class Hello {
    private Hello() {}

    public static void main(String[] arguments) {
        System.out.println("hello");
        System.err.println("hello");
    }
}

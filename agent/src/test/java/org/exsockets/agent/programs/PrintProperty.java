package org.exsockets.agent.programs;

/** Prints the value of a system property. */
public final class PrintProperty {
    private PrintProperty() {}

    public static void main(String[] names) {
        System.out.println(System.getProperty(names[0]));
    }
}

package org.exsockets.compat.seams.programs;

import java.nio.channels.Selector;

/** Says whether a selector is of the class that some programs look into. */
public final class SelectorClass {
    private SelectorClass() {}

    public static void main(String[] arguments) throws Exception {
        try (Selector selector = Selector.open()) {
            System.out.println(
                    "selector " + Class.forName("sun.nio.ch.SelectorImpl").isInstance(selector));
        }
    }
}

package org.exsockets.agent.bootstrap;

import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** What the agent needs of the inside of java.base, besides the hooks. Used by the installing thread. */
public final class JavaBase {
    /** Opened to the isolated class loader only; what a JDK does not have is left out. */
    private static final String[] OPENED_PACKAGES = {
        "java.net",
        "java.nio",
        "java.nio.channels.spi",
        "jdk.internal.access",
        "jdk.internal.misc",
        "sun.net",
        "sun.nio.ch",
    };

    private JavaBase() {}

    /** Opens java.base to the isolated class loader; before everything else here. */
    public static void open(Instrumentation instrumentation) {
        Module javaBase = Object.class.getModule();
        Set<String> present = javaBase.getPackages();
        Set<Module> readers = Set.of(JavaBase.class.getModule());
        Map<String, Set<Module>> opens = new HashMap<>();
        for (String name : OPENED_PACKAGES) {
            if (present.contains(name)) {
                opens.put(name, readers);
            }
        }
        instrumentation.redefineModule(javaBase, Set.of(), Map.of(), opens, Set.of(), Map.of());
    }

    /**
     * {@return whether the JVM has used a class} Whether it is loaded says nothing: JVMs with an ahead-of-time cache load
     * its classes before the program begins. They initialize a class at its first use.
     *
     * @throws LinkageError if this JDK does not tell
     */
    public static boolean isUsed(Class<?> type) {
        return !Unsafe.getUnsafe().shouldBeInitialized(type);
    }
}

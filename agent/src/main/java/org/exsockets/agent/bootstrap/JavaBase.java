package org.exsockets.agent.bootstrap;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/** What the agent needs of the inside of java.base, besides the hooks. Used by the installing thread. */
public final class JavaBase {
    /** Opened to the isolated class loader only; what a JDK does not have is left out. */
    private static final String[] OPENED_PACKAGES = {
        "java.lang",
        "java.net",
        "java.nio",
        "java.nio.channels.spi",
        "jdk.internal.access",
        "jdk.internal.misc",
        "jdk.internal.module",
        "sun.net",
        "sun.nio.ch",
    };

    private static final String SELECTOR = "sun.nio.ch.SelectorImpl";

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
     * Brings a module of the JDK into this JVM, as the JVM itself does for modules that it needs late. A program in a
     * named module has only those that it asks for.
     *
     * @throws ReflectiveOperationException if this JDK does that in another way
     * @throws java.lang.module.ResolutionException or another cause, if the module is unavailable
     */
    public static void loadModule(String name) throws Throwable {
        Class<?> modules = Class.forName("jdk.internal.module.Modules");
        MethodHandle load = MethodHandles.privateLookupIn(modules, MethodHandles.lookup())
                .findStatic(modules, "loadModule", MethodType.methodType(Module.class, String.class));
        Module loaded = (Module) load.invoke(name);
        if (!name.equals(loaded.getName())) {
            throw new IllegalStateException("load module: another one came: wanted=" + name + ", came=" + loaded);
        }
        allowNativeCode(loaded);
    }

    /** The JDK's modules may use their native libraries from the start; a module loaded late would cause a warning. */
    private static void allowNativeCode(Module module) throws Throwable {
        MethodHandle allow;
        try {
            allow = MethodHandles.privateLookupIn(Module.class, MethodHandles.lookup())
                    .findVirtual(Module.class, "implAddEnableNativeAccess", MethodType.methodType(Module.class));
        } catch (NoSuchMethodException neverWarns) {
            return;
        }
        allow.invoke(module);
    }

    /**
     * {@return whether the JVM has had a selector} Whether the class is loaded says nothing: JVMs with an ahead-of-time
     * cache load its classes before the program begins. They initialize a class at its first use.
     */
    public static boolean selectorsExist() throws ClassNotFoundException {
        return !Unsafe.getUnsafe().shouldBeInitialized(Class.forName(SELECTOR, false, null));
    }
}

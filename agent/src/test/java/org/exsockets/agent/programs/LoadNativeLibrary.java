package org.exsockets.agent.programs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Loads the isolated native library as the RDMA device does, and prints {@code loaded} or why not. */
public final class LoadNativeLibrary {
    private LoadNativeLibrary() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        ClassLoader isolated = (ClassLoader) Class.forName("org.exsockets.agent.isolation.Isolation")
                .getMethod("loader")
                .invoke(null);
        Method load = Class.forName("org.exsockets.verbs.disni.NativeLibrary", true, isolated)
                .getDeclaredMethod("load");
        load.setAccessible(true);
        try {
            load.invoke(null);
            System.out.println("loaded");
        } catch (InvocationTargetException e) {
            // Whether the machine has libibverbs is not the agent's affair.
            boolean missing = e.getCause().getMessage().startsWith("dlopen: lib");
            System.out.println(missing ? "loaded" : e.getCause().getMessage());
        }
    }
}

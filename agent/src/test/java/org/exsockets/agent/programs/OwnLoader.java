package org.exsockets.agent.programs;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Loads the agent's jar once more, in a class loader of its own, and installs the socket factories from there. */
public final class OwnLoader {
    private OwnLoader() {}

    public static void main(String[] arguments) throws Exception {
        URL[] jar = {Path.of(arguments[0]).toUri().toURL()};
        try (URLClassLoader own = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
            Class<?> isolation = own.loadClass("org.exsockets.agent.isolation.Isolation");
            Object isolated = isolation.getMethod("loader").invoke(null);
            Object systems;
            try {
                systems = Class.forName(isolation.getName()).getMethod("loader").invoke(null);
            } catch (ClassNotFoundException e) {
                systems = null;
            }
            System.out.println(isolated == systems ? "the system's" : "its own");
            own.loadClass("org.exsockets.ExsSockets").getMethod("install").invoke(null);
        }
    }
}

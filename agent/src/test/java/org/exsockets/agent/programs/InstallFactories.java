package org.exsockets.agent.programs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Installs the socket factories through the public entry point, uses sockets, and tries to install once more. */
public final class InstallFactories {
    private InstallFactories() {}

    public static void main(String[] arguments) throws Exception {
        Method install = Class.forName("org.exsockets.ExsSockets").getMethod("install");
        install.invoke(null);
        Echo.main(arguments);
        try {
            install.invoke(null);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}

package org.exsockets.api;

import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the provider behind the API. It also carries this JVM's sockets, so that both share settings, statistics,
 * devices and memory.
 *
 * <p>If the agent's jar is present, as an agent or on the class path, it is the one in the agent's isolated class
 * loader, which takes the API's types from here. Otherwise it is the one in the same jar as these types. Thread-safe.
 */
final class Binding {
    private static final String ISOLATION = "org.exsockets.agent.isolation.Isolation";
    private static final String PROVIDER = "org.exsockets.es.EsApi";

    private static volatile @Nullable ApiProvider provider;

    private Binding() {}

    /**
     * {@return the provider}
     *
     * @throws IllegalStateException if there is none, or it is of another copy of the API; the message says what to do
     */
    static ApiProvider provider() {
        ApiProvider known = provider;
        return known != null ? known : findOnce();
    }

    private static synchronized ApiProvider findOnce() {
        if (provider == null) {
            provider = find();
        }
        return provider;
    }

    private static ApiProvider find() {
        try {
            Object found =
                    Class.forName(PROVIDER, true, loader()).getConstructor().newInstance();
            if (found instanceof ApiProvider provider) {
                return provider;
            }
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("ES-API: cannot start: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "ES-API: there is no provider: put exs-provider.jar or exs-agent.jar on the class path, or start Java"
                            + " with -javaagent:exs-agent.jar",
                    e);
        }
        throw new IllegalStateException("ES-API: its types have been loaded twice, by " + Binding.class.getClassLoader()
                + " and beside the agent: leave exs-provider.jar out of the application, the agent brings them");
    }

    private static ClassLoader loader() throws ReflectiveOperationException {
        Class<?> isolation = isolation();
        return isolation == null
                ? Binding.class.getClassLoader()
                : (ClassLoader) isolation.getMethod("loader").invoke(null);
    }

    private static @Nullable Class<?> isolation() {
        try {
            return Class.forName(ISOLATION, true, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException notThere) {
            try {
                return Class.forName(ISOLATION, true, Binding.class.getClassLoader());
            } catch (ClassNotFoundException noAgent) {
                return null;
            }
        }
    }
}

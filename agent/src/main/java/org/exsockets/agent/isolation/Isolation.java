package org.exsockets.agent.isolation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;

/**
 * The one isolated class loader of this JVM, shared by the agent and by the visible entry points of this jar. Created
 * at the first use, by any thread; lives as long as the JVM.
 */
public final class Isolation {
    private Isolation() {}

    /**
     * {@return the loader of everything that this jar hides from the program}
     *
     * @throws UncheckedIOException if this jar cannot be read
     * @throws IllegalStateException if this class was not loaded from a jar file
     */
    public static ClassLoader loader() {
        return Holder.LOADER;
    }

    /** A program may have loaded this jar a second time, in a class loader of its own: the system's copy decides. */
    private static ClassLoader find() {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        if (Isolation.class.getClassLoader() != system) {
            try {
                Class<?> first = Class.forName(Isolation.class.getName(), true, system);
                if (first != Isolation.class) {
                    return (ClassLoader) first.getMethod("loader").invoke(null);
                }
            } catch (ClassNotFoundException e) {
                return create();
            } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("another version of this jar is on the class path", e);
            }
        }
        return create();
    }

    private static ClassLoader create() {
        URL location = Isolation.class.getProtectionDomain().getCodeSource().getLocation();
        try {
            File file = new File(location.toURI());
            if (!file.isFile()) {
                throw new IllegalStateException("not loaded from a jar file: location=" + location);
            }
            return new IsolatedClassLoader(file, location);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("not loaded from a jar file: location=" + location, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Holder {
        static final ClassLoader LOADER = find();
    }
}

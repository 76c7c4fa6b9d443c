package org.exsockets.verbs.soft.copy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A library that could not be unpacked at first is had as soon as it can be: nothing is broken for good. */
class NativeCopyLoadingTest {
    private static final long LONGER_NS = 11_000_000_000L;

    @Test
    void aLibraryThatCouldNotBeLoadedIsTriedAgainLater(@TempDir Path parent) throws Exception {
        assumeTrue(NativeCopy.available(), NativeCopy.obstacle());
        Path directory = parent.resolve("later");
        try (URLClassLoader fresh = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> copy = fresh.loadClass(NativeCopy.class.getName());
            call(copy.getDeclaredMethod("use", Path.class, boolean.class), directory, true);
            Method available = copy.getDeclaredMethod("available");
            assertFalse((boolean) call(available));
            String obstacle = (String) call(copy.getDeclaredMethod("obstacle"));
            assertTrue(obstacle.contains(directory.toString()), obstacle);

            Files.createDirectory(directory);
            assertFalse((boolean) call(available), "not at every call: that it failed is believed for a while");
            Field failedNs = copy.getDeclaredField("failedNs");
            failedNs.setAccessible(true);
            failedNs.setLong(null, System.nanoTime() - LONGER_NS);
            assertTrue((boolean) call(available));
        }
    }

    private static Object call(Method method, Object... arguments) throws ReflectiveOperationException {
        method.setAccessible(true);
        return method.invoke(null, arguments);
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(each).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }
}

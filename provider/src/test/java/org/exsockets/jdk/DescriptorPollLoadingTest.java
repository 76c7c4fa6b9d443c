package org.exsockets.jdk;

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
class DescriptorPollLoadingTest {
    private static final long LONGER_NS = 11_000_000_000L;

    @Test
    void aLibraryThatCouldNotBeLoadedIsTriedAgainLater(@TempDir Path parent) throws Exception {
        assumeTrue(DescriptorPoll.isLoaded(), DescriptorPoll.obstacle());
        Path directory = parent.resolve("later");
        try (URLClassLoader fresh = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> poll = fresh.loadClass(DescriptorPoll.class.getName());
            call(poll.getDeclaredMethod("use", Path.class), directory);
            Method loaded = poll.getDeclaredMethod("isLoaded");
            assertFalse((boolean) call(loaded));
            String obstacle = (String) call(poll.getDeclaredMethod("obstacle"));
            assertTrue(obstacle.contains(directory.toString()), obstacle);

            Files.createDirectory(directory);
            assertFalse((boolean) call(loaded), "not at every call: that it failed is believed for a while");
            Field failedNs = poll.getDeclaredField("failedNs");
            failedNs.setAccessible(true);
            failedNs.setLong(null, System.nanoTime() - LONGER_NS);
            assertTrue((boolean) call(loaded));
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

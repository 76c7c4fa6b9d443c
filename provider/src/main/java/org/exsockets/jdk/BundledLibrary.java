package org.exsockets.jdk;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Native libraries that lie beside the classes: unpacks them to where the JVM can load them, without a warning where
 * the JVM allows that. Any thread.
 */
public final class BundledLibrary {
    /** When a try has failed, another thread may have given back just then the descriptor that was lacking. */
    static final int TRIES = 3;

    /**
     * For how long a failure to load a library is believed, in nanoseconds. What was missing (a descriptor, a mapping,
     * room for a file) may be there later; each failing attempt costs some milliseconds.
     */
    public static final long FAILURE_BELIEVED_NS = 10_000_000_000L;

    /** Since this version the JVM warns of native code that was not allowed on the command line. */
    private static final int FEATURE_WITH_WARNING = 24;

    /** The architectures served, by os.arch. */
    private static final Map<String, String> DIRECTORIES = Map.of("amd64", "linux-amd64", "aarch64", "linux-aarch64");

    private BundledLibrary() {}

    /**
     * Loads a library for this machine's architecture, and leaves no file behind. As {@link #unpack}.
     *
     * @throws UnsatisfiedLinkError if the JVM cannot load it
     */
    public static void load(String library, @Nullable Path directory) throws IOException {
        permitNativeAccess();
        Path file = unpack(library, directory);
        try {
            System.load(file.toString());
        } finally {
            remove(file);
        }
    }

    /**
     * Has the JVM not warn of native code. Without the agent that takes an option of Java, and the warning is justified.
     *
     * @throws JdkDiffersException if there is the agent, and this JVM would warn all the same
     */
    public static void permitNativeAccess() {
        String inside = InsideJdk.NATIVE_ACCESS.type();
        if (Runtime.version().feature() < FEATURE_WITH_WARNING
                || !Object.class
                        .getModule()
                        .isOpen(inside.substring(0, inside.lastIndexOf('.')), BundledLibrary.class.getModule())) {
            return;
        }
        try {
            // Not by reflection, which loads all classes that methods of these two mention: thirty.
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> access = InsideJdk.NATIVE_ACCESS.get();
            Object ofJvm = lookup.findStatic(
                            InsideJdk.SECRETS.get(), InsideJdk.SECRETS.member(0), MethodType.methodType(access))
                    .invoke();
            lookup.findVirtual(access, InsideJdk.NATIVE_ACCESS.member(0), MethodType.methodType(void.class))
                    .invoke(ofJvm);
        } catch (Error e) {
            throw e;
        } catch (Throwable gone) {
            if (!isNativeAccessEnabled()) {
                throw new JdkDiffersException(
                        "it would warn of native code; start Java with --enable-native-access=ALL-UNNAMED");
            }
        }
    }

    /** As the module says from JDK 22 on. */
    private static boolean isNativeAccessEnabled() {
        try {
            return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(BundledLibrary.class.getModule());
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }

    /**
     * Unpacks a library for this machine's architecture.
     *
     * @param library its file name
     * @param wanted where to, as the user has set it ({@code exs.native}); null for the first usual place that is
     *     suitable
     * @return the file, in a directory of its own; {@link #remove} removes both, even once the JVM has loaded it
     * @throws IOException if there is no such library or no place for it; the message is meant for the user
     */
    public static Path unpack(String library, @Nullable Path wanted) throws IOException {
        String architecture = System.getProperty("os.arch");
        String directory = DIRECTORIES.get(architecture);
        if (directory == null) {
            throw new IOException("native libraries are there for amd64 and aarch64 only; this is " + architecture);
        }
        try (InputStream in = BundledLibrary.class.getResourceAsStream("/native/" + directory + "/" + library)) {
            if (in == null) {
                throw new IOException(
                        "the native library " + library + " for " + directory + " is missing from EXS sockets' jar");
            }
            return unpack(in, library, target(wanted));
        }
    }

    private static Path target(@Nullable Path wanted) throws IOException {
        NativeDirectory places = NativeDirectory.ofThisProcess();
        if (wanted == null) {
            return places.choose(Path.of(System.getProperty("java.io.tmpdir")), System.getenv());
        }
        String obstacle = places.obstacle(wanted);
        if (obstacle != null) {
            throw new IOException("cannot unpack the native library: the directory of exs.native " + obstacle + ": "
                    + wanted.toAbsolutePath());
        }
        return wanted;
    }

    /**
     * No other user can reach the file, whatever its own permissions: the directory is new, and its owner's alone from
     * the moment in which it exists.
     */
    static Path unpack(InputStream library, String name, Path directory) throws IOException {
        Path own = newDirectory(directory.toAbsolutePath());
        Path file = own.resolve(name);
        try {
            // Files would load fifteen classes, and its streams take direct memory, which the program may lack.
            try (OutputStream out = new FileOutputStream(file.toFile())) {
                library.transferTo(out);
            }
        } catch (IOException e) {
            remove(file);
            throw new IOException("cannot unpack the native library to " + directory + ": " + e.getMessage(), e);
        }
        return file;
    }

    /**
     * Not a temporary one of {@code Files}: for that the JVM looks for sources of random numbers, which takes longer
     * than all else here.
     */
    private static Path newDirectory(Path parent) throws IOException {
        var ownersOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        while (true) {
            String name = "exs-" + Long.toHexString(System.nanoTime());
            try {
                return Files.createDirectory(parent.resolve(name), ownersOnly);
            } catch (FileAlreadyExistsException somebodyElses) {
                Thread.onSpinWait();
            }
        }
    }

    /** Removes what {@link #unpack} has made; a second call does nothing. */
    public static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException e) {
            // Another process has removed it already, or put a file beside it.
            return;
        }
    }
}

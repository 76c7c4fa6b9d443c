package org.exsockets.verbs.disni;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.exsockets.verbs.DeviceOptions;

/**
 * The native half of DiSNI and of {@link Verbs}: unpacks and loads it, once per JVM. Any thread.
 *
 * <p>DiSNI asks for its library by name, when its class {@code NativeDispatcher} is initialized. Under the agent the
 * class loader answers with {@link #path}; without it java.library.path decides. An upstream libdisni in our library's
 * place has no natives of {@link Verbs}; these then come from a second library, which has nothing else: of two libraries
 * that both had DiSNI's natives the JVM would bind to any.
 */
final class NativeLibrary {
    private static final String BOTH = "libdisni.so";
    private static final String VERBS_ONLY = "libexsverbs.so";
    private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";
    private static final String USE_THE_AGENT = "RDMA needs the agent: start the program with -javaagent:exs-agent.jar";

    /** Since this version the JVM warns of native code that was not allowed on the command line. */
    private static final int FEATURE_WITH_WARNING = 24;

    /** The architectures served, by os.arch. */
    private static final Map<String, String> DIRECTORIES = Map.of("amd64", "linux-amd64", "aarch64", "linux-aarch64");

    /** Held while loading; not by {@link #path}, which another thread may call while initializing DiSNI's class. */
    private static final Object LOADING = new Object();

    // Guarded by LOADING.
    private static boolean loaded;
    private static IOException failure;

    // Guarded by the class.
    private static DeviceOptions options;
    private static Path unpacked;
    private static boolean asked;
    private static IOException unpackFailure;

    private NativeLibrary() {}

    /** Sets where to unpack to and which library to load; before anything of DiSNI or {@link Verbs} is used. */
    static synchronized void use(DeviceOptions chosen) {
        options = chosen;
    }

    /** {@return whether DiSNI's objects are those of an upstream libdisni, whose object ids are raw pointers} */
    static synchronized boolean foreign() {
        return options != null && options.foreignDisni() != null;
    }

    /**
     * Where the library is that DiSNI asks for; unpacks it at the first call. For the class loader.
     *
     * @throws IOException if it cannot be unpacked; {@link #load} throws it, too
     */
    static synchronized String path() throws IOException {
        asked = true;
        if (foreign()) {
            return options.foreignDisni().toAbsolutePath().toString();
        }
        return unpackOnce(BOTH);
    }

    /**
     * Loads the library and finds libibverbs and librdmacm. Later calls do nothing, or fail like the first one if the
     * library could not be loaded: the JVM does not try a second time to initialize DiSNI's class.
     *
     * @throws VerbsException if libibverbs or librdmacm is missing
     * @throws IOException if there is no RDMA in this JVM; the message says why and what the user can do
     */
    static void load() throws IOException {
        synchronized (LOADING) {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            if (!loaded) {
                try {
                    loadOnce();
                    loaded = true;
                } catch (IOException e) {
                    failure = e;
                    throw e;
                } finally {
                    removeUnpacked();
                }
            }
        }
        Verbs.open();
    }

    private static void loadOnce() throws IOException {
        requireExports();
        requireForeignFile();
        permitNativeAccess();
        try {
            Class.forName(DISPATCHER, true, NativeLibrary.class.getClassLoader());
            if (wasAsked()) {
                System.load(foreign() ? unpackOnce(VERBS_ONLY) : path());
            } else if (foreign()) {
                throw new IOException("exs.disni cannot be heeded: " + USE_THE_AGENT);
            }
            int version = Verbs.version();
            if (version != Verbs.VERSION) {
                throw new IOException("the native library is of another version of EXS sockets: version=" + version
                        + ", needed=" + Verbs.VERSION);
            }
        } catch (LinkageError | ClassNotFoundException e) {
            IOException earlier = unpackingFailed();
            throw earlier != null ? earlier : new IOException(explain(e), e);
        }
    }

    private static String explain(Throwable problem) {
        if (!wasAsked()) {
            return USE_THE_AGENT + " (java.library.path leads to no native library of EXS sockets: "
                    + problem.getMessage() + ")";
        }
        if (foreign()) {
            return "the library named by exs.disni cannot be loaded: " + problem.getMessage();
        }
        return "the native library cannot be loaded: " + problem.getMessage();
    }

    private static synchronized boolean wasAsked() {
        return asked;
    }

    private static synchronized IOException unpackingFailed() {
        return unpackFailure;
    }

    private static synchronized void requireForeignFile() throws IOException {
        if (foreign() && !Files.isReadable(options.foreignDisni())) {
            throw new IOException("the library named by exs.disni does not exist or cannot be read: "
                    + options.foreignDisni().toAbsolutePath());
        }
    }

    /** DiSNI takes the addresses of buffers from a class of this package. The agent opens it. */
    private static void requireExports() throws IOException {
        if (!Object.class.getModule().isExported("sun.nio.ch", NativeLibrary.class.getModule())) {
            throw new IOException(USE_THE_AGENT + " (or with --add-exports java.base/sun.nio.ch=ALL-UNNAMED)");
        }
    }

    /** Asks the JVM itself not to warn. Where it does not let us, without the agent, it warns, as it should. */
    private static void permitNativeAccess() {
        if (Runtime.version().feature() < FEATURE_WITH_WARNING
                || !Object.class.getModule().isOpen("java.lang", NativeLibrary.class.getModule())) {
            return;
        }
        try {
            Method permit = Module.class.getDeclaredMethod("implAddEnableNativeAccessToAllUnnamed");
            permit.setAccessible(true);
            permit.invoke(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // A later JVM may do it in another way; it then warns once.
            return;
        }
    }

    private static synchronized String unpackOnce(String library) throws IOException {
        if (unpackFailure != null) {
            throw unpackFailure;
        }
        if (unpacked == null) {
            try {
                unpacked = unpack(library);
            } catch (IOException e) {
                unpackFailure = e;
                throw e;
            }
        }
        return unpacked.toString();
    }

    private static Path unpack(String library) throws IOException {
        String architecture = System.getProperty("os.arch");
        String directory = DIRECTORIES.get(architecture);
        if (directory == null) {
            throw new IOException("RDMA is served on amd64 and aarch64 only; this is " + architecture);
        }
        try (InputStream in = NativeLibrary.class.getResourceAsStream("/native/" + directory + "/" + library)) {
            if (in == null) {
                throw new IOException("this build of EXS sockets carries no native library for " + directory
                        + ": use a released agent, or build it where the compiler and the headers of rdma-core are");
            }
            return unpack(in, library, target());
        }
    }

    private static Path target() throws IOException {
        NativeDirectory places = NativeDirectory.ofThisProcess();
        Path wanted = options == null ? null : options.nativeDirectory();
        if (wanted == null) {
            return places.choose(Path.of(System.getProperty("java.io.tmpdir")), System::getenv);
        }
        String obstacle = places.obstacle(wanted);
        if (obstacle != null) {
            throw new IOException("cannot unpack the native library: the directory of exs.native " + obstacle + ": "
                    + wanted.toAbsolutePath());
        }
        return wanted;
    }

    /** Nobody else can put a file of theirs in place of ours: the directory is new, and ours alone. */
    static Path unpack(InputStream library, String name, Path directory) throws IOException {
        FileAttribute<Set<PosixFilePermission>> ownersOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path own = Files.createTempDirectory(directory.toAbsolutePath(), "exs-", ownersOnly);
        Path file = own.resolve(name);
        try {
            Files.createFile(file, ownersOnly);
            try (var out = Files.newOutputStream(file)) {
                library.transferTo(out);
            }
        } catch (IOException e) {
            remove(file);
            throw new IOException("cannot unpack the native library to " + directory + ": " + e.getMessage(), e);
        }
        return file;
    }

    /** The JVM has mapped it by now. */
    private static synchronized void removeUnpacked() {
        if (unpacked != null) {
            remove(unpacked);
        }
    }

    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException e) {
            // Somebody has cleaned up before us, or put something beside it.
            return;
        }
    }
}

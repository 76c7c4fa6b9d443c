package org.exsockets.verbs.disni;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.exsockets.jdk.BundledLibrary;
import org.exsockets.verbs.DeviceOptions;
import org.jspecify.annotations.Nullable;

/**
 * The native half of DiSNI and of {@link Verbs}: unpacks and loads it, once per JVM. Any thread.
 *
 * <p>DiSNI asks for its library by name, when its class {@code NativeDispatcher} is initialized. Under the agent the
 * class loader answers with {@link #path}; without it java.library.path decides. An upstream libdisni in our library's
 * place has no natives of {@link Verbs}. These then come from a second library, which has nothing else: if both
 * libraries had DiSNI's natives, the JVM could bind to either.
 */
public final class NativeLibrary {
    private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";
    private static final String USE_THE_AGENT = "RDMA needs the agent: start the program with -javaagent:exs-agent.jar";

    /** Held while loading; not by {@link #path}, which another thread may call while initializing DiSNI's class. */
    private static final Object LOADING = new Object();

    @GuardedBy("LOADING")
    private static boolean loaded;

    @GuardedBy("LOADING")
    private static @Nullable IOException failure;

    /** Where to unpack to; null to choose. */
    private static volatile @Nullable Path directory;

    /** An upstream libdisni, whose object ids are raw pointers; null for ours. */
    private static volatile @Nullable Path foreign;

    @GuardedBy("NativeLibrary.class")
    private static @Nullable Path unpacked;

    // Written under the class's monitor.
    private static volatile boolean asked;
    private static volatile @Nullable IOException unpackFailure;

    private NativeLibrary() {}

    /** Sets where to unpack to and which library to load; before anything of DiSNI or {@link Verbs} is used. */
    public static void use(DeviceOptions chosen) {
        directory = chosen.nativeDirectory();
        foreign = chosen.foreignDisni();
    }

    static boolean isForeign() {
        return foreign != null;
    }

    /**
     * {@return the path of the library that DiSNI asks for} Unpacks ours. For the class loader, once.
     *
     * @throws IOException if it cannot be unpacked; {@link #load} throws it, too
     */
    static synchronized String path() throws IOException {
        asked = true;
        Path file = foreign;
        if (file == null) {
            try {
                file = BundledLibrary.unpack("libdisni.so", directory);
                unpacked = file;
            } catch (IOException e) {
                unpackFailure = e;
                throw e;
            }
        }
        return file.toAbsolutePath().toString();
    }

    /**
     * Loads the library and finds libibverbs and librdmacm. Later calls do nothing, or fail like the first one if the
     * library could not be loaded: the JVM does not try a second time to initialize DiSNI's class.
     *
     * @throws VerbsException if libibverbs or librdmacm is missing
     * @throws IOException if there is no RDMA in this JVM; the message says why and what the user can do
     */
    public static void load() throws IOException {
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
        Path installed = foreign;
        if (installed != null && !Files.isReadable(installed)) {
            throw new IOException(
                    "the library named by exs.disni does not exist or cannot be read: " + installed.toAbsolutePath());
        }
        BundledLibrary.permitNativeAccess();
        try {
            Class.forName(DISPATCHER, true, NativeLibrary.class.getClassLoader());
            if (installed != null) {
                if (!asked) {
                    throw new IOException("exs.disni cannot be heeded: " + USE_THE_AGENT);
                }
                BundledLibrary.load("libexsverbs.so", directory);
            }
            int version = Verbs.version();
            if (version != Verbs.VERSION) {
                throw new IOException("the native library is of another version of EXS sockets: version=" + version
                        + ", needed=" + Verbs.VERSION);
            }
        } catch (LinkageError | ClassNotFoundException e) {
            IOException earlier = unpackFailure;
            throw earlier != null ? earlier : new IOException(explain(e), e);
        }
    }

    private static String explain(Throwable problem) {
        if (!asked) {
            return USE_THE_AGENT + " (java.library.path leads to no native library of EXS sockets: "
                    + problem.getMessage() + ")";
        }
        if (isForeign()) {
            return "the library named by exs.disni cannot be loaded: " + problem.getMessage();
        }
        return "the native library cannot be loaded: " + problem.getMessage();
    }

    /** DiSNI takes the addresses of buffers from a class of {@code sun.nio.ch}, which the agent opens. */
    private static void requireExports() throws IOException {
        if (!Object.class.getModule().isExported("sun.nio.ch", NativeLibrary.class.getModule())) {
            throw new IOException(USE_THE_AGENT + " (or with --add-exports java.base/sun.nio.ch=ALL-UNNAMED)");
        }
    }

    /** The JVM has mapped the file by now. */
    private static synchronized void removeUnpacked() {
        if (unpacked != null) {
            BundledLibrary.remove(unpacked);
        }
    }
}

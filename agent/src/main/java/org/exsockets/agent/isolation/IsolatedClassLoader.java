package org.exsockets.agent.isolation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.AllPermission;
import java.security.CodeSource;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads classes and resources from the entries under {@code exs/} of a jar. Class files are called {@code .classdata}
 * there, so that no other class loader takes them for classes; most lie in one entry, {@link ClassPack}, and are no
 * resources. Parent: the platform class loader. The program and the isolated classes cannot reach each other, except
 * for the types of the ES-API: both use those that the program sees. Any thread; never closed.
 */
final class IsolatedClassLoader extends ClassLoader {
    private static final String ROOM = "exs/";
    private static final String PACK = ROOM + "classes";
    private static final String SHARED_PACKAGE = "org.exsockets.api.";
    private static final String DISNI = "disni";
    private static final String NATIVE_LIBRARY = "org.exsockets.verbs.disni.NativeLibrary";

    static {
        registerAsParallelCapable();
    }

    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    private final ZipFile jar;
    private final ClassPack classes;
    private final String roomUrl;
    private final ProtectionDomain domain;

    IsolatedClassLoader(File jarFile, URL location) throws IOException {
        super("exs", PLATFORM);
        jar = new ZipFile(jarFile);
        classes = new ClassPack(jar, PACK);
        roomUrl = "jar:" + location + "!/" + ROOM;
        Permissions permissions = new Permissions();
        permissions.add(new AllPermission());
        domain = new ProtectionDomain(new CodeSource(location, (Certificate[]) null), permissions, this, null);
    }

    /**
     * Looks in the jar before the parent: the platform class loader also knows the named modules of the program, which
     * may have packages of the same names. Does not look there for the JDK's, which are the most frequent ones at the
     * start of a program.
     */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.") || name.startsWith("sun.") || name.startsWith("jdk.")) {
            return PLATFORM.loadClass(name);
        }
        byte[] bytes;
        try {
            bytes = classes.classFile(name);
            ZipEntry entry = bytes == null ? entryOf(name.replace('.', '/') + ".class") : null;
            if (entry != null) {
                bytes = ClassPack.read(jar, entry, 0, (int) entry.getSize());
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length, domain);
        }
    }

    /** Called for what is not in the jar. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith(SHARED_PACKAGE)) {
            return Class.forName(name, false, IsolatedClassLoader.class.getClassLoader());
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    @SuppressWarnings("deprecation") // In later JDKs, whose URI would check what is known to be valid.
    protected URL findResource(String name) {
        ZipEntry entry = entryOf(name);
        if (entry == null) {
            return null;
        }
        try {
            return new URL(null, roomUrl + entry.getName().substring(ROOM.length()), new OpenEntry(entry));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL url = findResource(name);
        return url == null ? Collections.emptyEnumeration() : Collections.enumeration(Collections.singleton(url));
    }

    /** Keeps jar URLs and their cache out of the start path. */
    @Override
    public InputStream getResourceAsStream(String name) {
        ZipEntry entry = entryOf(name);
        if (entry == null) {
            return super.getResourceAsStream(name);
        }
        try {
            return jar.getInputStream(entry);
        } catch (IOException e) {
            return null;
        }
    }

    /** An entry of the jar that is open here. The JDK would open the jar once more for each URL that is read. */
    private final class OpenEntry extends URLStreamHandler {
        private final ZipEntry entry;

        OpenEntry(ZipEntry entry) {
            this.entry = entry;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {
                    // It is.
                }

                @Override
                public InputStream getInputStream() throws IOException {
                    return jar.getInputStream(entry);
                }
            };
        }
    }

    /** DiSNI asks for its native half by name, and gets the file that the provider has unpacked. */
    @Override
    protected String findLibrary(String name) {
        if (!name.equals(DISNI)) {
            return null;
        }
        try {
            Method path = loadClass(NATIVE_LIBRARY).getDeclaredMethod("path");
            path.setAccessible(true);
            return (String) path.invoke(null);
        } catch (ReflectiveOperationException e) {
            // The provider remembers why, and reports it to the user of the device.
            return null;
        }
    }

    private ZipEntry entryOf(String name) {
        return jar.getEntry(ROOM + (name.endsWith(".class") ? name + "data" : name));
    }
}

package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.exsockets.compat.harness.Patience;

/**
 * Loads an application in a class loader of its own, as servlet containers do, runs it in a thread that stays, with that
 * loader as the context class loader, and lets go of both. Says {@code collected} or {@code kept} and the application.
 */
public final class Container {
    private static final int LOOK_MS = 50;

    /** Defines the classes of this package again. */
    private static final class ApplicationLoader extends ClassLoader {
        ApplicationLoader() {
            super("application", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String resource = "/" + name.replace('.', '/') + ".class";
            try (InputStream in = Container.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                // With a protection domain that leads to this loader.
                return defineClass(
                        name, bytes, 0, bytes.length, new java.security.ProtectionDomain(null, null, this, null));
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private Container() {}

    /** @param args what each application is to do, see {@link Application} */
    public static void main(String[] args) throws Exception {
        ExecutorService workers = Executors.newSingleThreadExecutor(task -> {
            Thread worker = new Thread(task, "worker");
            worker.setDaemon(true);
            return worker;
        });
        for (String what : args) {
            WeakReference<ClassLoader> loader = workers.submit(() -> run(what)).get();
            System.out.println((isCollected(loader) ? "collected " : "kept ") + what);
        }
    }

    private static WeakReference<ClassLoader> run(String what) throws Exception {
        ClassLoader loader = new ApplicationLoader();
        Thread worker = Thread.currentThread();
        worker.setContextClassLoader(loader);
        try {
            Callable<?> application = (Callable<?>) loader.loadClass(Container.class.getPackageName() + ".Application")
                    .getConstructor(String.class)
                    .newInstance(what);
            if (application.getClass().getClassLoader() != loader) {
                throw new IllegalStateException("the application is not in its loader");
            }
            application.call();
        } finally {
            worker.setContextClassLoader(null);
        }
        return new WeakReference<>(loader);
    }

    private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < Patience.CALL_SECONDS * 1_000_000_000L) {
            System.gc();
            if (reference.get() == null) {
                return true;
            }
            Thread.sleep(LOOK_MS);
        }
        return false;
    }
}

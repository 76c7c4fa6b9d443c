package org.exsockets.agent.tooling;

import java.lang.instrument.Instrumentation;
import java.net.SocketImpl;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.exsockets.agent.bootstrap.HookClasses;
import org.exsockets.agent.bootstrap.JavaBase;
import org.exsockets.install.Installation;
import org.exsockets.jdk.InsideJdk;
import org.exsockets.jdk.JdkDiffersException;

/**
 * Installs the provider under the program: settings, hooks and weaving. Only when all of that has succeeded, it sets
 * the functions that make the hooks act. What only programs with sockets need is woven at their first socket or
 * channel. Lives in the isolated class loader; the premain class calls it by name.
 */
public final class Installer {
    /**
     * The properties that keep Netty on NIO: its own, and that of the copy in gRPC's shaded jar, renamed with its
     * packages.
     */
    private static final String[] NETTY_NO_NATIVE = {
        "io.netty.transport.noNative", "io.grpc.netty.shaded.io.netty.transport.noNative"
    };

    private static boolean installed;

    private Installer() {}

    /**
     * Installs, once per JVM; a further call says so on standard error and changes nothing.
     *
     * @param exchange two elements. Before: the agent's argument, or null; anything but null if the program has begun
     *     already. Afterwards the first: why the program runs on plain TCP, for the user; null if everything is
     *     installed, or nothing was wanted. The method has the form of {@code
     *     premain}: for any other form called by reflection the JVM makes classes
     * @throws Throwable for any other failure; nothing is active then
     */
    public static synchronized void install(String[] exchange, Instrumentation instrumentation) throws Throwable {
        exchange[0] = install(exchange[0], instrumentation, exchange[1] != null);
    }

    private static String install(String arguments, Instrumentation instrumentation, boolean late) throws Throwable {
        if (installed) {
            System.err.println("exs: the agent is given more than once; only the first one counts");
            return null;
        }
        Thread thread = Thread.currentThread();
        ClassLoader programLoader = thread.getContextClassLoader();
        // Lookups of services by the context class loader must find the isolated ones.
        thread.setContextClassLoader(Installer.class.getClassLoader());
        try {
            // Before the provider looks for what is open: above all, for the end of the JVM.
            JavaBase.open(instrumentation);
            Installation installation;
            try {
                installation = Installation.prepare(AgentOptions.parse(arguments));
            } catch (IllegalArgumentException e) {
                return e.getMessage();
            }
            if (installation.enabled()) {
                install(installation, instrumentation, late);
                installed = true;
            }
            return null;
        } finally {
            thread.setContextClassLoader(programLoader);
        }
    }

    private static void install(Installation installation, Instrumentation instrumentation, boolean late)
            throws Throwable {
        SocketFunction sockets = installation.sockets() ? new SocketFunction(installation, instrumentation) : null;
        UnaryOperator<AsynchronousChannelProvider> asynchronous = installation.asynchronousChannelProviders();
        ProviderFunction providers = new ProviderFunction(installation, instrumentation);
        // The platform's selectors refuse channels other than the platform's, so a late agent must not change the
        // provider under a program that holds some.
        boolean selectorsExist = selectorsExist(late);
        HookClasses.defineProviders();
        boolean bridged = sockets != null && InsideJdk.PLATFORM_SOCKETS.find() != null;
        if (bridged) {
            HookClasses.defineSockets();
        }
        JdkDiffersException differs = HookWeaver.weave(instrumentation, bridged);
        if (bridged && differs == null) {
            HookClasses.activateSockets(sockets);
        } else if (sockets != null) {
            installation.socketsNotWoven(
                    bridged ? differs : new JdkDiffersException("no class " + InsideJdk.PLATFORM_SOCKETS.type()));
        }
        installation.directMemoryReportedBy(new DirectMemoryInstaller(installation, instrumentation));
        if (installation.asynchronousChannels()) {
            HookClasses.activateAsynchronousProviders(asynchronous);
        }
        if (!installation.channels()) {
            return;
        }
        if (selectorsExist) {
            System.err.println("exs: selectors were opened before the agent came; channels stay on plain TCP");
            return;
        }
        HookClasses.activateSelectorProviders(providers);
        for (String property : NETTY_NO_NATIVE) {
            if (installation.nettyOnNio() && System.getProperty(property) == null) {
                System.setProperty(property, "true");
                installation.nettyKeptOnNio(property);
            }
        }
    }

    /** @param late what is assumed where the JDK does not tell: selectors of a program that has begun */
    private static boolean selectorsExist(boolean late) {
        Class<?> selectors = InsideJdk.SELECTORS.find();
        try {
            return selectors == null ? late : JavaBase.isUsed(selectors);
        } catch (LinkageError gone) {
            return late;
        }
    }

    /**
     * Weaves the platform's server sockets before the first socket is replaced; not at the start, since most programs
     * have no sockets. If that fails, sockets stay on plain TCP. The program needs no permission for that.
     */
    @SuppressWarnings("removal") // Up to JDK 23 a program may set a security manager.
    private static final class SocketFunction
            implements BiFunction<SocketImpl, Boolean, SocketImpl>, PrivilegedAction<Boolean> {
        private final BiFunction<SocketImpl, Boolean, SocketImpl> replace;

        private final Installation installation;

        /** For weaving; null when that is over. Stored last: a thread that reads null sees all that weaving wrote. */
        private volatile Instrumentation pending;

        /** Written before {@link #pending}. */
        private boolean failed;

        /** Weaving has begun. Its thread may call again: another agent's transformer may open sockets meanwhile. */
        private boolean weaving;

        SocketFunction(Installation installation, Instrumentation instrumentation) {
            this.replace = installation.platformSockets();
            this.installation = installation;
            this.pending = instrumentation;
        }

        @Override
        public SocketImpl apply(SocketImpl platform, Boolean server) {
            if (pending != null && !AccessController.doPrivileged(this)) {
                return platform;
            }
            return failed ? platform : replace.apply(platform, server);
        }

        /** {@return whether weaving is over, successful or not} */
        @Override
        public synchronized Boolean run() {
            if (pending == null || weaving) {
                return pending == null;
            }
            weaving = true;
            failed = true;
            try {
                ServerSocketWeaver.weave(pending);
                failed = false;
            } catch (JdkDiffersException e) {
                installation.socketsNotWoven(e);
            } catch (Exception | LinkageError | InternalError e) {
                System.err.println("exs: cannot weave server sockets: " + e + "; sockets stay on plain TCP");
            } finally {
                pending = null;
            }
            return true;
        }
    }

    /**
     * Leaves alone the provider of this jar, if a program has named it in a property. Weaves file channels before the
     * first provider is handed out to the program; not at the start, since most programs have no channels. The program
     * needs no permission for that.
     */
    @SuppressWarnings("removal") // Up to JDK 23 a program may set a security manager.
    private static final class ProviderFunction implements UnaryOperator<SelectorProvider>, PrivilegedAction<Void> {
        private static final String NAMED_BY_PROPERTY = "org.exsockets.ExsSelectorProvider";

        private final UnaryOperator<SelectorProvider> replace;

        private final Installation installation;

        /** For weaving; null when that is over. Stored last: a thread that reads null finds all of it done. */
        private volatile Instrumentation pending;

        /** Weaving has begun. Its thread may call again: another agent's transformer may use channels meanwhile. */
        private boolean weaving;

        ProviderFunction(Installation installation, Instrumentation instrumentation) {
            this.replace = installation.selectorProviders();
            this.installation = installation;
            this.pending = instrumentation;
        }

        @Override
        public SelectorProvider apply(SelectorProvider provider) {
            if (pending != null) {
                AccessController.doPrivileged(this);
            }
            return provider.getClass().getName().equals(NAMED_BY_PROPERTY) ? provider : replace.apply(provider);
        }

        /** If this fails, copies between files and socket channels go through the platform's small array. */
        @Override
        public synchronized Void run() {
            if (pending == null || weaving) {
                return null;
            }
            weaving = true;
            try {
                HookClasses.defineTransfers(
                        installation.transferringChannels(), installation.transferTo(), installation.transferFrom());
                TransferWeaver.weave(pending);
            } catch (Exception | LinkageError | InternalError e) {
                installation.transfersNotWoven(e);
            }
            pending = null;
            return null;
        }
    }
}

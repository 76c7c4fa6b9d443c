package org.exsockets.agent.tooling;

import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleFinder;
import java.net.SocketImpl;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.exsockets.agent.bootstrap.HookClasses;
import org.exsockets.agent.bootstrap.JavaBase;
import org.exsockets.install.Installation;

/**
 * Installs the provider under the program: settings, hooks, weaving, and only when all of that has succeeded, the
 * functions that make the hooks do something. What only programs with sockets need is woven with their first socket or channel. Lives in the isolated class loader; the premain class calls it by name.
 */
public final class Installer {
    /** What keeps Netty on NIO: Netty itself, and the one in gRPC's shaded jar, whose properties moved with its packages. */
    private static final String[] NETTY_NO_NATIVE = {
        "io.netty.transport.noNative", "io.grpc.netty.shaded.io.netty.transport.noNative"
    };

    /** Of the JDK, besides java.base and java.instrument: credentials of peers, and descriptors in selectors. */
    private static final String NEEDED_MODULE = "jdk.net";

    private static boolean installed;

    private Installer() {}

    /**
     * Installs, once per JVM; a further call says so on standard error and changes nothing.
     *
     * @param exchange one element: the agent's argument, or null; afterwards why the program runs on plain TCP, for the user,
     *     or null if everything is installed, or nothing was wanted. A method of the form of {@code premain}, since the JVM
     *     makes classes for each other form that is called by reflection
     * @throws Throwable anything that went wrong otherwise; nothing is active then
     */
    public static synchronized void install(String[] exchange, Instrumentation instrumentation) throws Throwable {
        exchange[0] = install(exchange[0], instrumentation);
    }

    private static String install(String arguments, Instrumentation instrumentation) throws Throwable {
        if (installed) {
            System.err.println("exs: the agent is given more than once; only the first one counts");
            return null;
        }
        boolean moduleThere = ModuleLayer.boot().findModule(NEEDED_MODULE).isPresent();
        if (!moduleThere && ModuleFinder.ofSystem().find(NEEDED_MODULE).isEmpty()) {
            return "this Java runtime was linked without the module " + NEEDED_MODULE + "; add it (jlink --add-modules "
                    + "java.instrument," + NEEDED_MODULE + ",...)";
        }
        Thread thread = Thread.currentThread();
        ClassLoader programLoader = thread.getContextClassLoader();
        // Whatever looks up services by the context class loader must find the isolated ones.
        thread.setContextClassLoader(Installer.class.getClassLoader());
        try {
            // Before anything of the provider runs that looks for what is open: the end of the JVM, above all.
            JavaBase.open(instrumentation);
            Installation installation;
            try {
                installation = Installation.prepare(AgentOptions.parse(arguments));
            } catch (IllegalArgumentException e) {
                return e.getMessage();
            }
            if (installation.enabled()) {
                if (!moduleThere) {
                    JavaBase.loadModule(NEEDED_MODULE);
                }
                install(installation, instrumentation);
                installed = true;
            }
            return null;
        } finally {
            thread.setContextClassLoader(programLoader);
        }
    }

    private static void install(Installation installation, Instrumentation instrumentation) throws Throwable {
        SocketFunction sockets = installation.sockets() ? new SocketFunction(installation, instrumentation) : null;
        UnaryOperator<AsynchronousChannelProvider> asynchronous = installation.asynchronousChannelProviders();
        ProviderFunction providers = new ProviderFunction(installation, instrumentation);
        // The platform's selectors refuse channels other than the platform's, so a late agent must not change the
        // provider
        // under a program that holds some.
        boolean selectorsExist = JavaBase.selectorsExist();
        HookClasses hooks = HookClasses.define();
        HookWeaver.weave(instrumentation);
        if (sockets != null) {
            hooks.activateSockets(sockets);
        }
        installation.directMemoryReportedBy(new DirectMemoryInstaller(installation, instrumentation));
        if (installation.asynchronousChannels()) {
            hooks.activateAsynchronousProviders(asynchronous);
        }
        if (!installation.channels()) {
            return;
        }
        if (selectorsExist) {
            System.err.println("exs: selectors were opened before the agent came; channels stay on plain TCP");
            return;
        }
        hooks.activateSelectorProviders(providers);
        for (String property : NETTY_NO_NATIVE) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, "true");
                installation.nettyKeptOnNio(property);
            }
        }
    }

    /**
     * Before the first socket is replaced, the platform's server sockets are woven: not at the start, since most programs
     * have no sockets. If that fails, sockets stay on plain TCP.
     */
    private static final class SocketFunction implements BiFunction<SocketImpl, Boolean, SocketImpl> {
        private final BiFunction<SocketImpl, Boolean, SocketImpl> replace;

        /** For weaving; null when that is over. Whoever finds null may go on: it is stored afterwards. */
        private volatile Instrumentation pending;

        /** Written before {@link #pending}. */
        private boolean failed;

        /** Another agent's transformer may open sockets meanwhile: the thread that weaves comes here again. */
        private boolean weaving;

        SocketFunction(Installation installation, Instrumentation instrumentation) {
            this.replace = installation.platformSockets();
            this.pending = instrumentation;
        }

        @Override
        public SocketImpl apply(SocketImpl platform, Boolean server) {
            if (pending != null && !weaveServers()) {
                return platform;
            }
            return failed ? platform : replace.apply(platform, server);
        }

        /** {@return whether they are woven, or cannot be} Not in the middle of it. */
        private synchronized boolean weaveServers() {
            if (pending == null || weaving) {
                return pending == null;
            }
            weaving = true;
            failed = true;
            try {
                ServerSocketWeaver.weave(pending);
                failed = false;
            } catch (Exception | LinkageError | InternalError e) {
                System.err.println("exs: cannot weave server sockets: " + e + "; sockets stay on plain TCP");
            } finally {
                pending = null;
            }
            return true;
        }
    }

    /**
     * Leaves alone a provider that already leads to EXS: the one of this jar that programs name in a property. Before the
     * first provider is handed out, file channels are woven: not at the start, since most programs have no channels.
     */
    private static final class ProviderFunction implements UnaryOperator<SelectorProvider> {
        private static final String NAMED_BY_PROPERTY = "org.exsockets.ExsSelectorProvider";

        private final UnaryOperator<SelectorProvider> replace;

        /** What weaves file channels; null afterwards. Whoever finds null may go on: it is stored when all is woven. */
        private volatile TransferInstaller transfers;

        ProviderFunction(Installation installation, Instrumentation instrumentation) {
            this.replace = installation.selectorProviders();
            this.transfers = new TransferInstaller(installation, instrumentation);
        }

        @Override
        public SelectorProvider apply(SelectorProvider provider) {
            if (transfers != null) {
                installTransfers();
            }
            return provider.getClass().getName().equals(NAMED_BY_PROPERTY) ? provider : replace.apply(provider);
        }

        private synchronized void installTransfers() {
            TransferInstaller pending = transfers;
            if (pending != null && pending.begin()) {
                pending.install();
                transfers = null;
            }
        }
    }
}

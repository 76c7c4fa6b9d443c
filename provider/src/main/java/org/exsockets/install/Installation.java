package org.exsockets.install;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.SocketImpl;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.exsockets.aio.AioProvider;
import org.exsockets.config.Face;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.exsockets.connection.FileCopy;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.JdkDiffersException;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.memory.DirectMemory;
import org.exsockets.net.Bypass;
import org.exsockets.net.ExsSocketImpl;
import org.exsockets.nio.ExsSocketChannel;
import org.exsockets.nio.NioProvider;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.rendezvous.DirectBuffers;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.waiting.SpinLoop;
import org.jspecify.annotations.Nullable;

/**
 * What an installer (the Java agent, or a program without one) puts in front of the JDK's own sockets.
 *
 * <p>Only JDK types cross this class's boundary, so that it may live in a class loader the program cannot see.
 */
public final class Installation {
    private static @Nullable Installation current;
    private static volatile boolean socketsReplaced;

    private final Settings settings;
    private final ExitHook exit;

    private Installation(Settings settings, ExitHook exit) {
        this.settings = settings;
        this.exit = exit;
    }

    /**
     * Reads and checks the settings. The first call in a JVM counts; later ones return its result.
     *
     * @param options agent options by their short names ({@code enabled}, {@code device} …); they win over system
     *     properties, which win over environment variables
     * @return the installation
     * @throws IllegalArgumentException if a setting is misspelt or malformed; its message is complete and meant for the
     *     user
     */
    public static synchronized Installation prepare(Map<String, String> options) {
        if (current == null) {
            Settings settings = SettingsReader.read(options, System.getProperties(), System.getenv());
            Log.configure(settings);
            SpinLoop.configure(settings);
            DescriptorPoll.use(settings.nativeDirectory().orElse(null));
            DirectReadPolicy.configure(settings.direct());
            Rehearsal rehearsal = new Rehearsal();
            ExitHook exit = new ExitHook(settings.stats(), rehearsal);
            Rendezvous.configure(
                    settings,
                    new BeforeDevices(exit, settings.jmx()),
                    new Preparation(),
                    settings.rehearsal() ? rehearsal : () -> {});
            if (settings.enabled() && settings.stats().isPresent()) {
                exit.run();
            }
            current = new Installation(settings, exit);
        }
        return current;
    }

    /** As {@link #prepare} without options. Wrong settings are reported, and everything stays on TCP. */
    public static synchronized Installation prepareWithoutAgent() {
        try {
            return prepare(Map.of());
        } catch (RuntimeException | LinkageError e) {
            String reason = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
            Log.warn(reason + "; running on plain TCP");
            Settings disabled = SettingsReader.disabled();
            Rendezvous.configure(disabled, () -> {}, face -> {}, () -> {});
            current = new Installation(disabled, new ExitHook(disabled.stats(), new Rehearsal()));
            return current;
        }
    }

    /** {@return whether the settings want EXS to serve a face} */
    boolean serves(Face face) {
        return settings.enabled() && settings.faces().contains(face);
    }

    /** {@return whether there is anything to install; false if the settings switch EXS off} */
    public boolean enabled() {
        return settings.enabled();
    }

    /** {@return whether {@code Socket} and {@code ServerSocket} are to travel over EXS} */
    public boolean sockets() {
        return serves(Face.NET);
    }

    /** {@return whether channels and selectors are to be EXS's} */
    public boolean channels() {
        return serves(Face.NIO);
    }

    /** {@return whether asynchronous channels are to be EXS's} */
    public boolean asynchronousChannels() {
        return serves(Face.AIO);
    }

    /** {@return a function from the JVM's own provider to the one programs are to see; idempotent, never throws} */
    public UnaryOperator<SelectorProvider> selectorProviders() {
        return new ReplacingSelectorProvider();
    }

    /**
     * {@return a function from the JVM's own provider of asynchronous channels to the one programs are to see;
     * idempotent, never throws}
     */
    public UnaryOperator<AsynchronousChannelProvider> asynchronousChannelProviders() {
        return new ReplacingAsynchronousProvider();
    }

    /**
     * {@return a function from a platform socket implementation just created (and whether it is a server's) to the one
     * to use instead, or the same object to leave it alone; never throws}
     */
    public BiFunction<SocketImpl, Boolean, SocketImpl> platformSockets() {
        socketsReplaced = true;
        return new ReplacingSockets();
    }

    /** No lambda: that would cost every start. */
    private static final class ReplacingSockets implements BiFunction<SocketImpl, Boolean, SocketImpl> {
        @Override
        public SocketImpl apply(SocketImpl platform, Boolean server) {
            return Bypass.active() ? platform : ExsSocketImpl.before(platform, server);
        }
    }

    /** {@return whether an installer uses {@link #platformSockets}, so that factories would interfere} */
    public static boolean socketsReplaced() {
        return socketsReplaced;
    }

    /** {@return whether Netty is to use NIO instead of its native transport, which no provider can reach} */
    public boolean nettyOnNio() {
        return settings.nettyOnNio();
    }

    /**
     * The installer has told Netty so.
     *
     * @param property the property set for this
     */
    public void nettyKeptOnNio(String property) {
        exit.nettyKept();
        Log.info("Netty is kept on NIO: " + property + "=true (exs.netty=native leaves it alone)");
    }

    /**
     * {@return the class of channels for which file channels are to call {@link #transferTo} and {@link #transferFrom}}
     */
    public Class<?> transferringChannels() {
        return ExsSocketChannel.class;
    }

    /** {@return {@code (FileChannel, long position, long count, WritableByteChannel) long}} */
    public MethodHandle transferTo() throws ReflectiveOperationException {
        return MethodHandles.lookup()
                .findStatic(
                        Installation.class,
                        "sendFile",
                        MethodType.methodType(
                                long.class, FileChannel.class, long.class, long.class, WritableByteChannel.class));
    }

    private static long sendFile(FileChannel file, long position, long count, WritableByteChannel target)
            throws IOException {
        return ((ExsSocketChannel) target).sendFile(file, position, count);
    }

    /**
     * {@return {@code (ReadableByteChannel, FileChannel, long position, long count) long}} It also serves a channel
     * over TCP: the JDK would copy through an array of 8 KiB.
     */
    public MethodHandle transferFrom() throws ReflectiveOperationException {
        return MethodHandles.lookup()
                .findStatic(
                        FileCopy.class,
                        "receive",
                        MethodType.methodType(
                                long.class, ReadableByteChannel.class, FileChannel.class, long.class, long.class));
    }

    /** The installer has nothing to make the JDK hand out {@link #platformSockets} by. */
    public void socketsNotWoven(JdkDiffersException cause) {
        Log.info("java.net stays on plain TCP: " + cause.getMessage());
        Statistics.jvm().fallback(FallbackReason.JDK_DIFFERS);
    }

    /** The installer could not make file channels use {@link #transferTo} and {@link #transferFrom}. */
    public void transfersNotWoven(Throwable cause) {
        Log.info("file channels copy to and from socket channels in small steps: " + cause);
    }

    /**
     * Takes what makes direct buffers and mapped files call {@link #directBufferPlacing} and {@link
     * #directMemoryFreeing}. It runs at once if the settings ask for it.
     *
     * @param weave does it, once, and returns whether it has worked
     */
    public void directMemoryReportedBy(BooleanSupplier weave) {
        DirectMemory.reportedBy(weave);
        if (settings.directBufferBytes() > 0 && Rendezvous.get().directBuffers().enabled()) {
            boolean unused = weave.getAsBoolean(); // It reports a failure itself.
        }
    }

    /**
     * {@return {@code (bytes) address} for the memory of a direct buffer, 0 to leave it to the JVM; null to leave all}
     */
    public @Nullable LongUnaryOperator directBufferPlacing() {
        return Rendezvous.get().directBuffers().enabled() ? new DirectBufferPlacing() : null;
    }

    /**
     * {@return {@code (address, bytes) freed} for memory that is about to be freed, 0 if it is the JVM's; never throws}
     */
    public LongBinaryOperator directMemoryFreeing() {
        return new DirectMemoryFreeing();
    }

    /** The installer could not weave direct buffers. */
    public void directMemoryNotWoven(Throwable cause) {
        if (Rendezvous.get().directBuffers().enabled() && !(cause instanceof JdkDiffersException)) {
            Log.warn("exs.direct.buffers: this JVM does not let buffers be placed: " + cause);
        } else {
            Log.info("direct buffers of the program cannot be watched: " + cause);
        }
    }

    /** No lambda: linking it would happen within an allocation of the program. */
    private static final class DirectBufferPlacing implements LongUnaryOperator {
        private final DirectBuffers buffers = Rendezvous.get().directBuffers();

        @Override
        public long applyAsLong(long bytes) {
            return buffers.allocate(bytes);
        }
    }

    /** No lambda: it may run in the JVM's thread for references, which should not link anything. */
    private static final class DirectMemoryFreeing implements LongBinaryOperator {
        private final DirectBuffers buffers = Rendezvous.get().directBuffers();

        @Override
        public long applyAsLong(long address, long lengthBytes) {
            try {
                DirectMemory.freeing(address, lengthBytes);
            } catch (RuntimeException | Error e) {
                report(e);
            }
            return buffers.free(address) ? 1 : 0;
        }

        /** Must not throw, even without memory for a message: the JVM ends if its thread for references ends. */
        private static void report(Throwable failure) {
            try {
                Log.error("direct memory: a listener has failed: " + failure);
            } catch (RuntimeException | Error e) {
                return;
            }
        }
    }

    /** Replaces the JDK's own provider, no other. The first call decides for all. Any thread; never throws. */
    private abstract static class ReplacingProvider<P> implements UnaryOperator<P> {
        private final String foreign;

        /** What every call returns; null before the first one. Written under the monitor. */
        private volatile @Nullable P chosen;

        /** @param foreign the warning if the program has a provider of its own; the name of its class is added */
        ReplacingProvider(String foreign) {
            this.foreign = foreign;
        }

        /** {@return our provider; called at most once, with the JDK's own} The program needs no permission for it. */
        abstract P replacementFor(P platform);

        @Override
        public P apply(P original) {
            P known = chosen;
            return known != null ? known : choose(original);
        }

        private synchronized P choose(P original) {
            if (chosen == null) {
                String name = original.getClass().getName();
                if (original.getClass().getClassLoader() == null) {
                    chosen = SecurityManagers.present()
                            ? SecurityManagers.privileged(() -> replacementFor(original))
                            : replacementFor(original);
                } else {
                    if (!name.startsWith("org.exsockets.")) {
                        Log.warn(foreign + name);
                    }
                    chosen = original;
                }
            }
            return chosen;
        }
    }

    private static final class ReplacingSelectorProvider extends ReplacingProvider<SelectorProvider> {
        ReplacingSelectorProvider() {
            super("the program has a selector provider of its own, channels stay with it: ");
        }

        @Override
        SelectorProvider replacementFor(SelectorProvider platform) {
            JdkChannels.replaced(platform);
            return NioProvider.forPrograms();
        }
    }

    /** Code that got the JDK's own provider earlier goes on with that, beside ours. */
    private static final class ReplacingAsynchronousProvider extends ReplacingProvider<AsynchronousChannelProvider> {
        ReplacingAsynchronousProvider() {
            super("the program has a provider of asynchronous channels of its own, they stay with it: ");
        }

        @Override
        AsynchronousChannelProvider replacementFor(AsynchronousChannelProvider platform) {
            return AioProvider.forPrograms();
        }
    }
}

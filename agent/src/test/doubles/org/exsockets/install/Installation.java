package org.exsockets.install;

import java.lang.invoke.MethodHandle;
import java.net.SocketImpl;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** Takes the provider's place in tests of the agent: prints what it is asked and replaces what it is given. */
public final class Installation {
    /** Of direct memory, so that what the JVM itself uses does not count. */
    private static final long LARGE = 1 << 20;

    private final boolean enabled;
    private final boolean watchesDirectMemory;

    private Installation(boolean enabled, boolean watchesDirectMemory) {
        this.enabled = enabled;
        this.watchesDirectMemory = watchesDirectMemory;
    }

    public static Installation prepare(Map<String, String> options) {
        String fail = options.getOrDefault("fail", "");
        if (fail.equals("setting")) {
            throw new IllegalArgumentException("exs.fail: expected something else");
        }
        if (fail.equals("error")) {
            throw new StackOverflowError("deep");
        }
        if (options.containsKey("services")) {
            ServiceLoader.load(Runnable.class).forEach(Runnable::run);
        }
        return new Installation(
                !options.getOrDefault("enabled", "true").equals("false"), options.containsKey("direct"));
    }

    public boolean enabled() {
        return enabled;
    }

    public boolean sockets() {
        return enabled;
    }

    public boolean channels() {
        return enabled;
    }

    public boolean asynchronousChannels() {
        return enabled;
    }

    public boolean nettyOnNio() {
        return true;
    }

    /** Says nothing: whether Netty is told depends on the program, not on what is tested with doubles. */
    public void nettyKeptOnNio(String property) {}

    /** A class of no channel: file transfers go their ordinary way. */
    public Class<?> transferringChannels() {
        return Installation.class;
    }

    public MethodHandle transferTo() {
        return null;
    }

    public MethodHandle transferFrom() {
        return null;
    }

    public void transfersNotWoven(Throwable cause) {
        System.out.println("transfers not woven: " + cause);
    }

    /** Direct buffers and mapped files are left alone unless the option "direct" is given. */
    public void directMemoryReportedBy(BooleanSupplier weave) {
        if (watchesDirectMemory && !weave.getAsBoolean()) {
            System.out.println("not watching");
        }
    }

    public LongUnaryOperator directBufferPlacing() {
        return bytes -> {
            if (bytes >= LARGE) {
                System.out.println("allocating " + bytes);
            }
            return 0;
        };
    }

    public LongBinaryOperator directMemoryFreeing() {
        return (address, bytes) -> {
            if (bytes >= LARGE) {
                System.out.println((address == 0 ? "no address: " : "freeing ") + bytes);
            }
            return 0;
        };
    }

    public void directMemoryNotWoven(Throwable cause) {
        System.out.println("direct memory not woven: " + cause);
    }

    public UnaryOperator<SelectorProvider> selectorProviders() {
        return provider -> {
            System.out.println("provider hook");
            return provider;
        };
    }

    public UnaryOperator<AsynchronousChannelProvider> asynchronousChannelProviders() {
        return provider -> {
            System.out.println("asynchronous provider hook");
            return provider;
        };
    }

    public BiFunction<SocketImpl, Boolean, SocketImpl> platformSockets() {
        return (platform, server) -> {
            System.out.println(server ? "listener hook" : "socket hook");
            return new SocketImplDouble(platform);
        };
    }
}

package org.exsockets.install;

import java.lang.invoke.MethodHandle;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Takes the provider's place in tests of the agent: prints what it is asked and replaces what it is given. */
public final class Installation {
    private final boolean enabled;

    private Installation(boolean enabled) {
        this.enabled = enabled;
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
        return new Installation(!options.getOrDefault("enabled", "true").equals("false"));
    }

    public boolean enabled() {
        return enabled;
    }

    /** Says nothing: whether Netty is told depends on the program, not on what is tested with doubles. */
    public void nettyKeptOnNio() {}

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

    public UnaryOperator<SelectorProvider> selectorProviders() {
        return provider -> {
            System.out.println("provider hook");
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

package org.exsockets.agent.programs;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;

/** Another agent, which makes the JVM transform the sockets' classes anew. */
public final class Retransformer {
    private Retransformer() {}

    public static void premain(String arguments, Instrumentation instrumentation) throws UnmodifiableClassException {
        instrumentation.addTransformer(new ClassFileTransformer() {}, true);
        instrumentation.retransformClasses(SocketImpl.class, SelectorProvider.class);
    }
}

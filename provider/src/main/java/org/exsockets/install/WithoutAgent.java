package org.exsockets.install;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import org.exsockets.aio.AioProvider;
import org.exsockets.config.Face;
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.net.ExsSocketImpl;
import org.exsockets.nio.NioProvider;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;

/**
 * EXS in a program without the agent: the visible classes of the jar, which the program names in properties or calls,
 * call this one. Settings are read at the first use. The JDK's own is given if settings are wrong, if they switch EXS
 * or the face off, or if the JVM lacks the option that EXS needs. Any thread.
 */
public final class WithoutAgent {
    private WithoutAgent() {}

    /** {@return what opens the channels and selectors of {@code visible}, the provider that the program knows} */
    public static SelectorProvider selectorProvider(SelectorProvider visible) {
        return serves(Face.NIO) ? new NioProvider(visible, Face.NIO) : JdkChannels.provider();
    }

    /** {@return what opens the channels and groups of {@code visible}, the provider that the program knows} */
    public static AsynchronousChannelProvider asynchronousChannelProvider(AsynchronousChannelProvider visible) {
        return serves(Face.AIO) ? new AioProvider(visible) : JdkChannels.asynchronousProvider();
    }

    /**
     * Installs the factories of {@code Socket} and {@code ServerSocket}, unless the agent has installed EXS already.
     *
     * @throws IOException if the program has factories already ("factory already defined")
     */
    @SuppressWarnings("deprecation") // There is no other way in without an agent.
    public static void installSockets() throws IOException {
        if (!Installation.socketsReplaced() && serves(Face.NET)) {
            Socket.setSocketImplFactory(() -> ExsSocketImpl.forFactory(false));
            ServerSocket.setSocketFactory(() -> ExsSocketImpl.forFactory(true));
        }
    }

    /** {@return whether EXS serves a face} What is missing is reported once. */
    private static boolean serves(Face face) {
        if (!Installation.prepareWithoutAgent().serves(face)) {
            return false;
        }
        if (!ForeignChannels.supported()) {
            Statistics.jvm().fallback(FallbackReason.OPTION_MISSING);
            Log.warnOnce(ForeignChannels.OPTION, ForeignChannels.ADVICE + "; running on plain TCP");
            return false;
        }
        return true;
    }
}

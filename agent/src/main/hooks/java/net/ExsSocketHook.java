package java.net;

import java.util.function.BiFunction;

/**
 * What {@link SocketImpl} and the platform's server sockets call once the agent has woven them.
 *
 * <p>Defined into java.base by the agent; does nothing until {@link #function} is set, which happens at most once, when
 * everything has been installed that the start of a program needs. Public only because the platform's server sockets live
 * in another package.
 */
public final class ExsSocketHook {
    static volatile BiFunction<SocketImpl, Boolean, SocketImpl> function;

    private ExsSocketHook() {}

    /** At the exits of {@code SocketImpl.createPlatformSocketImpl}: what to hand out instead of {@code platform}. */
    static SocketImpl onCreate(SocketImpl platform, boolean server) {
        BiFunction<SocketImpl, Boolean, SocketImpl> replace = function;
        if (replace == null) {
            return platform;
        }
        SocketImpl replacement = replace.apply(platform, server);
        return replacement == platform ? platform : new ExsBridgingSocketImpl(replacement, platform);
    }

    /**
     * At the entry of the platform's own {@code accept}, which casts its argument to its own class. A server socket that
     * was opened before the hooks were set gets there with a replacement: it goes back to being the platform's.
     */
    public static SocketImpl onPlatformAccept(SocketImpl accepted) {
        return accepted instanceof ExsBridgingSocketImpl bridge ? bridge.revertToPlatform() : accepted;
    }
}

package org.exsockets.rendezvous;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.config.DeviceChoice;
import org.exsockets.config.Face;
import org.exsockets.config.RuleDirection;
import org.exsockets.config.Settings;
import org.exsockets.config.Verdict;
import org.exsockets.observe.FallbackReason;
import org.jspecify.annotations.Nullable;

/** Which devices settings and rules allow for an address. Looks at no device. Thread-safe. */
final class Policy {
    /** The kernel takes all others of 127.0.0.0/8 for its own, and lets sockets be bound to this one, too. */
    private static final InetAddress BROADCAST = new InetSocketAddress("127.255.255.255", 0).getAddress();

    private final Settings settings;

    Policy(Settings settings) {
        this.settings = settings;
    }

    /** What may be tried: the software device first. @param against why nothing may be tried; null if something may */
    record Candidates(@Nullable FallbackReason against, boolean soft, boolean disni) {
        private static Candidates none(FallbackReason reason) {
            return new Candidates(reason, false, false);
        }
    }

    /** {@return whether EXS leaves this address, the peer's or a client's own, to TCP, which has errors for most} */
    static boolean isUnsupported(InetAddress host) {
        return host.isLinkLocalAddress() || host.isMulticastAddress() || host.equals(BROADCAST);
    }

    /** {@return whether anything may go over the software device} */
    boolean mayUseSoft() {
        return settings.enabled() && settings.device().allowsSoft();
    }

    /**
     * {@return the candidates for connecting to this address, or for listening on it}
     *
     * <p>An adapter cannot reach loopback addresses, so it is not opened for them, unless {@code exs.device} permits
     * nothing else.
     *
     * @param face of the connections; null for the ES-API
     */
    Candidates candidates(RuleDirection direction, InetSocketAddress address, @Nullable Face face) {
        DeviceChoice choice = settings.device();
        if (!settings.enabled() || choice == DeviceChoice.NONE) {
            return Candidates.none(FallbackReason.DISABLED);
        }
        InetAddress host = address.getAddress();
        if (isUnsupported(host)) {
            return Candidates.none(FallbackReason.UNSUPPORTED_ADDRESS);
        }
        Verdict verdict = settings.rules().evaluate(direction, host, address.getPort(), face);
        if (verdict == Verdict.TCP) {
            return Candidates.none(FallbackReason.RULE);
        }
        boolean soft = choice.allowsSoft();
        boolean disni = verdict == Verdict.EXS && choice.allowsDisni() && !(soft && host.isLoopbackAddress());
        return soft || disni ? new Candidates(null, soft, disni) : Candidates.none(FallbackReason.NO_RULE);
    }
}

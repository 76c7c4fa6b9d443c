package org.exsockets.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The host part of a rule: any host, a block of addresses, or a name that is resolved when first needed. */
final class HostPattern {
    private static final AddressBlock[] ANY = {};
    private static final AddressBlock[] NOTHING = {};

    private final @Nullable String name;
    private final @Nullable String place;
    private final @Nullable HostResolver resolver;

    /** Held while the name is resolved, so that one thread asks and reports, and the others wait for its answer. */
    private final ReentrantLock resolving = new ReentrantLock();

    /** Null until the name is resolved; never changes afterwards. Written under {@link #resolving}, read without. */
    private volatile AddressBlock @Nullable [] blocks;

    private HostPattern(
            AddressBlock @Nullable [] blocks,
            @Nullable String name,
            @Nullable String place,
            @Nullable HostResolver resolver) {
        this.blocks = blocks;
        this.name = name;
        this.place = place;
        this.resolver = resolver;
    }

    static HostPattern any() {
        return new HostPattern(ANY, null, null, null);
    }

    static HostPattern of(AddressBlock block) {
        return new HostPattern(new AddressBlock[] {block}, null, null, null);
    }

    /** {@return a pattern for all addresses of {@code name}; {@code place} tells the user where the name stands} */
    static HostPattern named(String name, String place, HostResolver resolver) {
        return new HostPattern(null, name, place, resolver);
    }

    boolean matches(byte[] address, Problems problems) {
        AddressBlock[] all = blocks(problems);
        if (all == ANY) {
            return true;
        }
        for (AddressBlock block : all) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a listener on every address of the host is meant; names are not resolved for this} */
    boolean matchesWildcard() {
        AddressBlock[] known = blocks;
        return name == null && known != null && (known == ANY || known[0].startsAtWildcard());
    }

    /** {@return whether only loopback addresses can match; false for a name, which may mean others} */
    boolean isLoopback() {
        AddressBlock[] known = blocks;
        return name == null && known != null && known != ANY && known[0].isLoopback();
    }

    private AddressBlock[] blocks(Problems problems) {
        AddressBlock[] known = blocks;
        if (known != null) {
            return known;
        }
        if (resolving.isHeldByCurrentThread()) {
            // A name service written in Java may connect while it resolves this very name.
            return NOTHING;
        }
        resolving.lock();
        try {
            if (blocks == null) {
                blocks = resolve(problems);
            }
            return blocks;
        } finally {
            resolving.unlock();
        }
    }

    private AddressBlock[] resolve(Problems problems) {
        try {
            InetAddress[] addresses = Objects.requireNonNull(resolver).resolve(Objects.requireNonNull(name));
            AddressBlock[] resolved = new AddressBlock[addresses.length];
            for (int i = 0; i < addresses.length; i++) {
                resolved[i] = AddressBlock.of(addresses[i]);
            }
            return resolved;
        } catch (UnknownHostException | SecurityException e) {
            problems.report(place + ": host name " + name + " cannot be resolved; the rule matches nothing");
            return NOTHING;
        }
    }

    /** Who tells the user of a name that cannot be resolved. */
    interface Problems {
        void report(String problem);
    }

    /** How names become addresses; replaced in tests. */
    interface HostResolver {
        InetAddress[] resolve(String name) throws UnknownHostException;
    }
}

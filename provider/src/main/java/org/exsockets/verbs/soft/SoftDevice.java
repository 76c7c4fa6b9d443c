package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.NotNowException;
import org.exsockets.verbs.ProgramAllocator;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.exsockets.verbs.soft.host.UserNamespace;
import org.exsockets.verbs.soft.meet.ListenerNames;
import org.exsockets.verbs.soft.meet.LocalAddresses;
import org.exsockets.verbs.soft.meet.OwnEnds;
import org.exsockets.verbs.soft.meet.SoftConnect;
import org.exsockets.verbs.soft.meet.SoftListener;
import org.exsockets.verbs.soft.meet.Users;
import org.exsockets.verbs.soft.ring.ClientPorts;
import org.exsockets.verbs.soft.ring.SoftEndpoint;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/**
 * The software RDMA device. Thread-safe.
 *
 * <p>Connecting to a server of the same user takes no round trip: the client takes a segment, passes or names it with a
 * hello on the listener's Unix-domain socket, and may post at once; the server maps the segment when it accepts. Both
 * keep segments for later connections.
 */
public final class SoftDevice implements Device {
    static final String NAME = SoftEndpoint.DEVICE;

    private final LocalAddresses localAddresses = new LocalAddresses();
    private final SharedBudget budget;
    final OwnEnds ends;

    /**
     * @throws NotNowException if the native library cannot be used, or there are no descriptors or mappings for it now;
     * the message says why
     */
    SoftDevice(DeviceOptions options) throws IOException {
        this(
                new SharedBudget(new MachineMemory(), options.sharedBytes()),
                new Users(
                        effectiveUser(),
                        UserNamespace.overflowUser(),
                        options.peers(),
                        TimeUnit.MILLISECONDS.toNanos(options.connectTimeoutMs())));
    }

    SoftDevice(SharedBudget budget, Users users) throws IOException {
        this.budget = budget;
        this.ends = new OwnEnds(budget, users);
    }

    /** {@return that of this process} Sees to the native library first. */
    static int effectiveUser() throws NotNowException {
        if (!DescriptorPoll.require()) {
            throw new NotNowException(
                    "the native library " + DescriptorPoll.LIBRARY + " cannot be used: " + DescriptorPoll.obstacle(),
                    null);
        }
        return UnixSockets.effectiveUser();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean leadsTo(InetSocketAddress remote) {
        return localAddresses.contains(remote.getAddress());
    }

    @Override
    public boolean listens(InetSocketAddress remote, EndpointParameters parameters) {
        boolean listens = false;
        for (int version = parameters.maxVersion(); version >= parameters.minVersion() && !listens; version--) {
            listens = ListenerNames.anybodyListens(remote, version);
        }
        return listens && leadsTo(remote);
    }

    @Override
    public Endpoint connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            int limitMs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure {
        if (!leadsTo(remote)) {
            throw new ConnectFailure(Kind.REFUSED, "connect: not an address of this host: remote=" + remote);
        }
        boolean believed = ClientPorts.mayHave(local.getPort()) && localAddresses.contains(local.getAddress());
        return new SoftConnect(ends, local, believed, remote, parameters).run();
    }

    @Override
    public DeviceListener listen(InetSocketAddress local, boolean dualStack, int backlog, EndpointParameters parameters)
            throws IOException {
        return new SoftListener(ends, local, dualStack, backlog, parameters, localAddresses);
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return budget.hasRoomFor(bytes);
    }

    @Override
    public ProgramAllocator programAllocator() {
        return ends.arenas();
    }
}

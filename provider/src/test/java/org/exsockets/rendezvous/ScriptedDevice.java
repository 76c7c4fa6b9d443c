package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.jspecify.annotations.Nullable;

/** A device in memory that does what the test says and keeps what was asked of it. Used by one thread. */
class ScriptedDevice implements Device {
    private final String name;
    private boolean leads = true;
    private boolean listens = true;

    /** Null: connects succeed. */
    ConnectFailure.Kind failure;

    /** Null: there is memory, and classes are whole. */
    Error error;

    /** Null: listening succeeds. */
    IOException listenFailure;

    boolean hasRoom = true;
    boolean closed;
    final List<InetSocketAddress> connects = new ArrayList<>();
    final List<InetSocketAddress> locals = new ArrayList<>();
    final List<EndpointParameters> wanted = new ArrayList<>();
    final List<ScriptedListener> listeners = new ArrayList<>();

    ScriptedDevice(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return hasRoom;
    }

    /** @param what LIKELY; NOT_LOCAL or NO_ROUTE: it does not lead anywhere; NO_LISTENER: nobody listens there */
    void says(String what) {
        leads = !what.equals("NOT_LOCAL") && !what.equals("NO_ROUTE");
        listens = leads && !what.equals("NO_LISTENER");
        failure = listens || !leads ? null : ConnectFailure.Kind.REFUSED;
    }

    @Override
    public boolean leadsTo(InetSocketAddress remote) {
        return leads;
    }

    @Override
    public boolean listens(InetSocketAddress remote, EndpointParameters parameters) {
        return listens;
    }

    @Override
    public Endpoint connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            int limitMs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure {
        connects.add(remote);
        locals.add(local);
        wanted.add(parameters);
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw new ConnectFailure(failure, "connect: scripted: kind=" + failure, null);
        }
        return new ScriptedEndpoint(name, local, remote);
    }

    @Override
    public DeviceListener listen(InetSocketAddress local, boolean dualStack, int backlog, EndpointParameters parameters)
            throws IOException {
        if (error != null) {
            throw error;
        }
        if (listenFailure != null) {
            throw listenFailure;
        }
        ScriptedListener listener = new ScriptedListener();
        listeners.add(listener);
        return listener;
    }

    @Override
    public void close() {
        closed = true;
    }
}

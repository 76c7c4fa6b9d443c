package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.arena.MappedArena;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.SegmentPool;

/** The software device, opened for each test. */
public abstract class SoftFixture extends DeviceFixture {
    @Override
    protected final Device open() throws IOException {
        return SoftDevices.open();
    }

    final OwnEnds ends() {
        return SoftDevices.ends((SoftDevice) device());
    }

    protected final OwnProcess ownProcess() {
        return ends().process;
    }

    protected final PeerMappings<PeerProcess.Name, PeerProcess> processes() {
        return ends().processes;
    }

    protected final SegmentPool pool() {
        return ends().pool;
    }

    protected final PeerMappings<MappedArena.Name, MappedArena> peerArenas() {
        return ends().peerArenas;
    }

    /** Connects and lets go, so that the client remembers the listener. */
    protected final void makeKnown() throws IOException {
        Endpoint a = device().connect(client(1), address(), PARAMETERS);
        Endpoint b = waitFor(listener()::tryAccept);
        release(a);
        release(b);
    }

    protected static void release(Endpoint end) {
        end.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        end.release();
    }
}

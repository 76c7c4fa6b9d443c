package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.exsockets.verbs.soft.meet.SoftFixture;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.junit.jupiter.api.Test;

/** What the peer has passed may be taken while the connection is released: its segment belongs to others then. */
class LatePeerTest extends SoftFixture {
    @Test
    void aReleasedConnectionTakesNoProcess() throws Exception {
        SoftEndpoint end = (SoftEndpoint) device().connect(client(1), address(), PARAMETERS);
        PeerProcess peer = processes().keep(PeerProcess.open(1, ownProcess().descriptor()));
        release(end);
        assertFalse(end.setPeer(peer));
        assertNull(end.segment.peer());
        processes().release(peer);
    }
}

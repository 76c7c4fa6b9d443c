package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectionContractTest;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.junit.jupiter.api.Test;

class SoftConnectionContractTest extends ConnectionContractTest {
    @Override
    protected Device open() throws IOException {
        return SoftDevices.open();
    }

    /** A listener has one name: of the newest version that it speaks. */
    @Override
    protected boolean listensToOlderVersions() {
        return false;
    }

    @Test
    void aWildcardDoesNotAnswerForOtherHosts() throws IOException {
        InetSocketAddress any = new InetSocketAddress(address().getPort() - 1);
        try (DeviceListener wildcard = device().listen(any, true, 5, PARAMETERS)) {
            assertNull(wildcard.tryAccept());
            InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", any.getPort());
            assertFalse(device().leadsTo(elsewhere));
            assertThrows(ConnectFailure.class, () -> device().connect(client(1), elsewhere, PARAMETERS));
        }
    }

    @Test
    void theExactAddressGoesBeforeTheWildcard() throws Exception {
        InetSocketAddress any =
                new InetSocketAddress(InetAddress.getByName("::"), address().getPort());
        try (DeviceListener wildcard = device().listen(any, true, 5, PARAMETERS)) {
            connectOnly(PARAMETERS);
            accept(listener());
            assertNull(wildcard.tryAccept());
            InetSocketAddress to =
                    new InetSocketAddress(place().otherHost(), address().getPort());
            ended(device().connect(new InetSocketAddress(place().otherHost(), 10_003), to, PARAMETERS));
            accept(wildcard);
            assertNull(listener().tryAccept());
        }
    }
}

package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntPredicate;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.exsockets.verbs.soft.host.UserNamespace;
import org.exsockets.waiting.ProgressThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices that take the user of this process for somebody else: they are what other users' devices are to each other. */
class OtherUsersTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 4096, 8, 1, 1);
    private static final IntPredicate NOBODY = user -> false;
    private static final IntPredicate ANYBODY = user -> true;
    private static final int ONE = 1_234_567;
    private static final int OTHER = 7_654_321;

    private ServerSocket port;
    private DeviceListener listener;

    @BeforeEach
    void openPort() throws IOException {
        DescriptorPoll.require();
        port = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
    }

    @AfterEach
    void closeAll() throws IOException {
        if (listener != null) {
            listener.close();
        }
        port.close();
    }

    private static SoftDevice device(int user, IntPredicate peers) throws IOException {
        return device(user, peers, Long.MAX_VALUE);
    }

    private static SoftDevice device(int user, IntPredicate peers, long answerNs) throws IOException {
        return SoftDevices.open(new Users(user, UserNamespace.NONE, peers, answerNs));
    }

    private static Users of(int own) {
        return new Users(own, UserNamespace.NONE, NOBODY, 0);
    }

    private void listen(SoftDevice device) throws IOException {
        listener = device.listen(address(), false, 50, PARAMETERS);
        listener.attend(ProgressThread.background(), () -> {});
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    private Endpoint connect(SoftDevice device) throws ConnectFailure {
        return device.connect(new InetSocketAddress(address().getAddress(), 0), address(), PARAMETERS);
    }

    /** {@return what comes of a connect while the listener accepts} */
    private Endpoint connectAccepting(SoftDevice device, Endpoint[] accepted) throws IOException {
        CompletableFuture<Endpoint> connected = CompletableFuture.supplyAsync(() -> {
            try {
                return connect(device);
            } catch (ConnectFailure e) {
                throw new CompletionException(e);
            }
        });
        while (accepted[0] == null && !connected.isDone()) {
            accepted[0] = listener.tryAccept();
        }
        try {
            return connected.join();
        } catch (CompletionException e) {
            throw (ConnectFailure) e.getCause();
        }
    }

    @Test
    void othersAreNotReachedUnlessAllowed() throws IOException {
        listen(SoftDevices.open());
        assertEquals(Kind.OTHER_USER, refusal(device(ONE, NOBODY)).kind());
        assertNull(listener.tryAccept());
    }

    private ConnectFailure refusal(SoftDevice device) {
        return assertThrows(ConnectFailure.class, () -> connect(device));
    }

    @Test
    void nothingIsSharedWithThemButTheSegment() throws IOException {
        SoftDevice server = SoftDevices.open();
        SoftDevice client = device(ONE, ANYBODY);
        listen(server);
        Endpoint[] accepted = new Endpoint[1];
        Endpoint a = connectAccepting(client, accepted);
        Endpoint b = accepted[0];
        ByteBuffer registered = server.programAllocator().allocate(1 << 20);
        for (Endpoint end : new Endpoint[] {a, b}) {
            assertNull(end.direct());
        }
        assertEquals(0, SoftDevices.ends(server).processes.size());
        assertEquals(0, SoftDevices.ends(client).processes.size());
        a.discard();
        b.discard();
        assertEquals(0, SoftDevices.ends(client).pool.idle());
    }

    /** It has said hello: only the answer tells that it is not wanted, and TCP is still to be had. */
    @Test
    void aServerMayNotWantThem() throws IOException {
        listen(device(ONE, NOBODY));
        ConnectFailure refused =
                assertThrows(ConnectFailure.class, () -> connectAccepting(device(OTHER, ANYBODY), new Endpoint[1]));
        assertEquals(Kind.OTHER_USER, refused.kind());
        assertNull(listener.tryAccept());
    }

    /** Nobody accepts until it has gone over to TCP: then there is nothing to accept. */
    @Test
    void aServerThatDoesNotAnswerSeesNoConnection() throws IOException {
        listen(device(ONE, ANYBODY));
        assertEquals(Kind.TIMED_OUT, refusal(device(OTHER, ANYBODY, 0)).kind());
        assertNull(listener.tryAccept());
    }

    @ParameterizedTest
    @CsvSource({
        // listens at, reached through
        "127.0.0.1, 127.0.0.1",
        "0.0.0.0,   127.0.0.1",
        "::,        127.0.0.1",
        "::,        ::1",
        "::1,       ::1"
    })
    void theOwnerOfAPortIsWhoListensThere(String at, String through) throws IOException {
        int user = UnixSockets.effectiveUser();
        try (ServerSocket other = new ServerSocket(0, 0, InetAddress.getByName(at))) {
            InetSocketAddress remote = new InetSocketAddress(InetAddress.getByName(through), other.getLocalPort());
            assertEquals(
                    user, PortOwner.find(remote.getAddress().getAddress(), 0, remote.getPort()), "needs sock_diag(7)");
            PortOwner.check(remote, user, of(user));
            PortOwner.check(remote, user, of(ONE));
            ConnectFailure notHis = assertThrows(ConnectFailure.class, () -> PortOwner.check(remote, OTHER, of(OTHER)));
            assertEquals(Kind.OTHER_USER, notHis.kind());
        }
    }

    @Test
    void whereNobodyListensOnlyTheOwnUserIsBelieved() throws IOException {
        InetSocketAddress nobodys = address();
        port.close();
        PortOwner.check(nobodys, ONE, of(ONE));
        assertThrows(ConnectFailure.class, () -> PortOwner.check(nobodys, ONE, of(OTHER)));
    }
}

package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.SoftDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which options of a socket get to its connection, whenever they are set. */
class ChosenOptionsTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 8, 1, 1);

    private final ChosenOptions chosen = new ChosenOptions();

    /** Idle seconds, as the queue pair was told. */
    private final List<Object> told = new ArrayList<>();

    private ExsConnection connection;
    private ExsConnection peer;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        QueuePair queuePair = listening(QueuePair.class, ends.connected().queuePair(), null);
        connection = new ExsConnection(listening(Endpoint.class, ends.connected(), queuePair));
        peer = new ExsConnection(ends.accepted());
    }

    @AfterEach
    void close() {
        connection.close(Close.ABORT);
        peer.close(Close.ABORT);
    }

    private <T> T listening(Class<T> kind, T real, QueuePair instead) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (it, method, arguments) -> {
                    if (method.getName().equals("queuePair")) {
                        return instead;
                    }
                    if (method.getName().equals("keepAlive")) {
                        told.add(arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private <T> void set(SocketOption<T> name, T value) {
        chosen.choose(name, value);
    }

    @Test
    void withoutKeepAliveNothingIsSaidOfIt() {
        set(ExtendedSocketOptions.TCP_KEEPIDLE, 5);
        chosen.applyTo(connection);
        set(StandardSocketOptions.SO_KEEPALIVE, false);
        set(StandardSocketOptions.SO_RCVBUF, 8192);
        assertEquals(List.of(), told);
    }

    @Test
    void keepAliveThatWasSetBeforeBeginsWithTheConnection() {
        set(StandardSocketOptions.SO_KEEPALIVE, true);
        set(ExtendedSocketOptions.TCP_KEEPIDLE, 5);
        chosen.applyTo(connection);
        assertEquals(List.of(5), told);
    }

    @Test
    void keepAliveIsTheSystemsUntilTheProgramSaysOtherwiseAndCanBeTakenBack() {
        chosen.applyTo(connection);
        set(StandardSocketOptions.SO_KEEPALIVE, true);
        set(ExtendedSocketOptions.TCP_KEEPIDLE, 7);
        set(StandardSocketOptions.SO_KEEPALIVE, false);
        assertEquals(List.of(0, 7, -1), told);
    }

    @Test
    void theIdleTimeOfAListenerIsInherited() {
        chosen.inherit(InheritedOptions.NONE.with(ExtendedSocketOptions.TCP_KEEPIDLE, 9));
        set(StandardSocketOptions.SO_KEEPALIVE, true);
        chosen.applyTo(connection);
        assertEquals(List.of(9), told);
    }
}

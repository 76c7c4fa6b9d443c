package org.exsockets.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NioProviderTest {
    @ParameterizedTest
    @CsvSource({
        "org.agrona.nio.TransportPoller, true",
        "io.aeron.shadow.org.agrona.nio.TransportPoller, true",
        "org.agronaut.Poller, false",
        "com.example.Poller, false",
        "notorg.agrona.Poller, false"
    })
    void agronaIsKnownByItsPackageWhereverThatHasBeenMoved(String name, boolean agrona) {
        assertEquals(agrona, NioProvider.isAgrona(name));
    }

    @Test
    void othersGetSelectorsOfExs() {
        assertFalse(NioProvider.isForAgrona());
    }
}

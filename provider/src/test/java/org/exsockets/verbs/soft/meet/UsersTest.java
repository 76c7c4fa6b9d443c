package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Properties;
import org.exsockets.config.Peers;
import org.exsockets.config.SettingsReader;
import org.exsockets.verbs.soft.host.UserNamespace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 65534 stands for everybody who has no number, where somebody has none. */
class UsersTest {
    private static Peers peers(String text) {
        return SettingsReader.read(Map.of("peers", text), new Properties(), Map.of())
                .peers();
    }

    @ParameterizedTest
    @CsvSource({
        // own, everybody has a number, exs.peers, peer, is the own user, may be a peer
        "1000,  true,  user,          1000,  true,  true",
        "1000,  true,  user,          1001,  false, false",
        "1000,  true,  1001,          1001,  false, true",
        "1000,  true,  any,           65534, false, true",
        "1000,  true,  65534,         65534, false, true",
        "65534, true,  user,          65534, true,  true",
        "65534, true,  unmapped,      1,     false, false",
        "1000,  false, user,          1000,  true,  true",
        "1000,  false, user,          65534, false, false",
        "1000,  false, any,           1001,  false, true",
        "1000,  false, any,           65534, false, false",
        "1000,  false, 65534,         65534, false, false",
        "1000,  false, unmapped,      65534, false, true",
        "1000,  false, unmapped,      1001,  false, false",
        "1000,  false, any+unmapped,  65534, false, true",
        "65534, false, user,          65534, false, false",
        "65534, false, any,           65534, false, false",
        "65534, false, any,           1000,  false, true",
        "65534, false, unmapped,      65534, false, true"
    })
    void whoHasNoNumberIsNobodysOwnUser(
            int own, boolean everybody, String peers, int peer, boolean isOwn, boolean mayBePeer) {
        Users users = new Users(own, everybody ? UserNamespace.NONE : 65534, peers(peers), 0);
        assertEquals(isOwn, users.isOwn(peer));
        assertEquals(mayBePeer, users.mayBePeer(peer));
    }
}

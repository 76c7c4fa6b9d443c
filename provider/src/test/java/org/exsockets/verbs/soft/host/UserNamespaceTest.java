package org.exsockets.verbs.soft.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserNamespaceTest {
    @ParameterizedTest
    @CsvSource({
        "'         0          0 4294967295\n', true",
        "'         0          0      65536\n', false",
        "'         0     100000      65536\n', false",
        "'         0       1000          1\n', false",
        "'         0          0          1\n         1     100000      65536\n', false",
        "'         1          0 4294967295\n', false",
        "'', false"
    })
    void everybodyHasANumberOfHisOwnWhereTheMapIsThatOfTheFirstNamespace(String map, boolean all) {
        assertEquals(all, UserNamespace.mapsEverybody(map));
    }
}

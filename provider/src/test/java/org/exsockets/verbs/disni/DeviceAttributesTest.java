package org.exsockets.verbs.disni;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceAttributesTest {
    private static boolean isSoftRoce(int vendor) {
        return new DeviceAttributes("x_0", vendor, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).isSoftRoce();
    }

    @Test
    void softRoceIsKnownByItsVendorOrByNone() {
        assertTrue(isSoftRoce(0xffffff));
        assertTrue(isSoftRoce(0));
    }

    /** Mellanox, Broadcom, Intel, Chelsio, HiSilicon. */
    @ParameterizedTest
    @ValueSource(ints = {0x02c9, 0x14e4, 0x8086, 0x1425, 0x19e5})
    void adaptersAreNotTakenForIt(int vendor) {
        assertFalse(isSoftRoce(vendor));
    }
}

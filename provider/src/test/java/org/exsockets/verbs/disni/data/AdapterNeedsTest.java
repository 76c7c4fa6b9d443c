package org.exsockets.verbs.disni.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdapterNeedsTest {
    private static DeviceAttributes about(int transport, int requests, int completions, int elements, long pageSizes) {
        return new DeviceAttributes(
                "x_0", 0x15b3, transport, 1000, requests, completions, elements, 2000, 4096, pageSizes, 4096, 15);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 16384, 65536, 30, 0xfffff000, true",
        "1, 16384, 65536, 30, 0xfffff000, true",
        // AWS EFA, and an unknown transport
        "4, 16384, 65536, 30, 0xfffff000, false",
        "-1, 16384, 65536, 30, 0xfffff000, false",
        "0, 16384, 65536, 1, 0xfffff000, true",
        "0, 16384, 65536, 0, 0xfffff000, false",
        "0, 16384, 65536, 30, 0x1000, true",
        "0, 16384, 65536, 30, 0, true",
        "0, 16384, 65536, 30, 0x10000, false",
        "0, 31, 65536, 30, 0x1000, false",
        "0, 16384, 32, 30, 0x1000, false",
    })
    void whatIsLackingIsFound(
            int transport, int requests, int completions, int elements, String pageSizes, boolean serves) {
        DeviceAttributes about = about(transport, requests, completions, elements, Long.decode(pageSizes));
        assertEquals(serves, AdapterNeeds.lack(about) == null, String.valueOf(AdapterNeeds.lack(about)));
    }

    @ParameterizedTest
    @CsvSource({"2048, 2048", "256, 256", "32, 32"})
    void queuesAreAsDeepAsTheAdapterAllows(int depth, int expected) {
        int requests = ConnectionSizes.sendDepth(depth);
        int completions = ConnectionSizes.completions(depth);
        assertEquals(expected, AdapterNeeds.deepest(about(0, requests, 1 << 20, 1, 0)), "by requests");
        assertEquals(expected, AdapterNeeds.deepest(about(0, 1 << 20, completions, 1, 0)), "by completions");
        assertEquals(expected / 2, AdapterNeeds.deepest(about(0, 1 << 20, completions - 1, 1, 0)), "one is missing");
    }
}

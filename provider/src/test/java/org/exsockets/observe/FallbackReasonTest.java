package org.exsockets.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackReasonTest {
    @Test
    void theNamesThatReadersOfStatisticsRelyOnAreThese() {
        assertEquals(
                List.of(
                        "disabled",
                        "option-missing",
                        "device-unavailable",
                        "native-missing",
                        "jdk-differs",
                        "rule",
                        "no-rule",
                        "unsupported-address",
                        "not-local",
                        "no-listener",
                        "other-user",
                        "no-rdma-route",
                        "refused",
                        "rdma-timeout",
                        "remembered-failure",
                        "backlog-full",
                        "version",
                        "handshake-failed",
                        "shm-full",
                        "memory-limit",
                        "locked-memory",
                        "rdma-exhausted",
                        "descriptors-exhausted",
                        "peer-exhausted",
                        "memory-exhausted",
                        "security-manager",
                        "reuseport",
                        "peer-plain"),
                Stream.of(FallbackReason.values()).map(FallbackReason::jsonName).toList());
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonIsExplainedInOneSentence(FallbackReason reason) {
        String explanation = reason.explanation();
        assertTrue(Character.isUpperCase(explanation.charAt(0)), explanation);
        assertTrue(explanation.endsWith("."), explanation);
        assertEquals(-1, explanation.indexOf(". "), explanation);
    }
}

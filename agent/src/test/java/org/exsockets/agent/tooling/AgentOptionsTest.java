package org.exsockets.agent.tooling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentOptionsTest {
    @ParameterizedTest
    @NullAndEmptySource
    void noArgumentMeansNoOptions(String arguments) {
        assertEquals(Map.of(), AgentOptions.parse(arguments));
    }

    @Test
    void optionsAreSeparatedByCommas() {
        assertEquals(Map.of("device", "soft", "spin", "auto"), AgentOptions.parse("device=soft,spin=auto"));
    }

    @Test
    void valuesMayBeEmptyOrContainEqualsSigns() {
        assertEquals(Map.of("rules", "/a=b", "stats", ""), AgentOptions.parse("rules=/a=b,stats="));
    }

    @ParameterizedTest
    @ValueSource(strings = {"device", "=soft", ",", "device=soft,", ",device=soft", "device=soft,,spin=auto"})
    void anythingElseIsReported(String arguments) {
        String message = assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse(arguments))
                .getMessage();
        assertEquals("': expected name=value", message.substring(message.lastIndexOf('\'')));
    }

    @Test
    void repeatedOptionIsReportedByName() {
        String message = assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse("spin=1,spin=2"))
                .getMessage();
        assertEquals("agent option 'spin': given more than once", message);
    }
}

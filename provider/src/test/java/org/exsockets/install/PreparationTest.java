package org.exsockets.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import org.exsockets.config.Face;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreparationTest {
    @ParameterizedTest
    @EnumSource
    void eachClassOfTheListExistsAndIsListedOnce(Face face) throws Exception {
        List<String> names;
        try (InputStream list = Preparation.class.getResourceAsStream(Preparation.list(face))) {
            names = new String(list.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
        assertFalse(names.isEmpty());
        assertEquals(names.size(), new HashSet<>(names).size());
        for (String name : names) {
            Class.forName(name, false, Preparation.class.getClassLoader());
        }
    }
}

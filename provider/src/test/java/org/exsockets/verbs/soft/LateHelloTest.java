package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LateHelloTest {
    /** More than may be waited for. */
    private static final int CLIENTS = 100;

    @Test
    void aClientThatNoThreadCanWaitForTakesNoPlace() {
        Consumer<Runnable> noMemory = waiting -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        for (int i = 0; i < CLIENTS; i++) {
            IOException refused = assertThrows(IOException.class, () -> LateHello.start(() -> {}, noMemory));
            assertInstanceOf(OutOfMemoryError.class, refused.getCause());
        }
    }
}

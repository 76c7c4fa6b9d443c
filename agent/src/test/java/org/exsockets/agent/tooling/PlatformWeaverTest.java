package org.exsockets.agent.tooling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.MethodVisitor;
import org.exsockets.jdk.JdkDiffersException;
import org.junit.jupiter.api.Test;

class PlatformWeaverTest {
    private static final String NAME = PlatformWeaverTest.class.getName().replace('.', '/');
    private static final int MAJOR_VERSION = 7;
    private static final byte OF_SOME_DAY = 120;

    private final PlatformWeaver counting = new PlatformWeaver("tests") {
        @Override
        MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
            if (method.equals("file()[B")) {
                countInsertion();
            }
            return next;
        }
    };

    private static byte[] file() throws IOException {
        try (InputStream in = PlatformWeaverTest.class.getResourceAsStream("PlatformWeaverTest.class")) {
            return in.readAllBytes();
        }
    }

    @Test
    void classFilesMayBeOfAnyLaterJdk() throws IOException {
        byte[] later = file();
        later[MAJOR_VERSION] = OF_SOME_DAY;
        assertThrows(IllegalArgumentException.class, () -> new ClassReader(later), "ASM knows it");
        assertEquals(OF_SOME_DAY, counting.woven(later, NAME, 1)[MAJOR_VERSION]);
    }

    @Test
    void missingPlacesAreNoticed() throws IOException {
        byte[] file = file();
        assertThrows(JdkDiffersException.class, () -> counting.woven(file, NAME, 2));
    }
}

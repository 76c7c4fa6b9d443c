package org.exsockets.verbs.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
    @Test
    void loadingIsRepeatable() throws IOException {
        VerbsHandles.assumeUsable();
        NativeLibrary.load();
        assertEquals(Verbs.VERSION, Verbs.version());
        assertFalse(NativeLibrary.isForeign());
    }

    @Test
    void bothLibrariesAreInTheBuildAndOnlyOneHasDisnisNatives() throws IOException {
        VerbsHandles.assumeUsable();
        assertTrue(exportsDispatcher("libdisni.so"));
        assertFalse(exportsDispatcher("libexsverbs.so"));
    }

    private static boolean exportsDispatcher(String library) throws IOException {
        Path file = Path.of(System.getProperty("java.library.path"), library);
        String bytes = new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(bytes.contains("Java_org_exsockets_verbs_disni_Verbs_poll"), library);
        return bytes.contains("Java_com_ibm_disni_verbs_impl_NativeDispatcher__1regMr");
    }
}

package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KnockerTest {
    private MemoryFileSystem memory;
    private Path file;

    @BeforeEach
    void createMemory() throws IOException {
        memory = MemoryFileSystem.create();
        file = memory.root().resolve("n1");
    }

    @AfterEach
    void removeMemory() throws IOException {
        memory.close();
    }

    @Test
    void theListenerSeesTheLastKnockOfAnyClient() throws IOException {
        Knocker listener = Knocker.create(file);
        assertEquals(0, listener.last());
        Knocker one = Knocker.open(file);
        Knocker another = Knocker.open(file);
        one.knock(5);
        assertEquals(5, listener.last());
        another.knock(-7);
        assertEquals(-7, listener.last());
        one.close();
        another.close();
        listener.close();
    }

    @Test
    void theListenerSaysWhetherThereIsRoom() throws IOException {
        Knocker listener = Knocker.create(file);
        Knocker client = Knocker.open(file);
        assertFalse(client.isFull());
        listener.setFull(true);
        assertTrue(client.isFull());
        assertTrue(client.isListening());
        listener.setFull(false);
        assertFalse(client.isFull());
        client.close();
        listener.close();
    }

    @Test
    void knockingAtAClosedOneDoesNothing() throws IOException {
        Knocker listener = Knocker.create(file);
        Knocker client = Knocker.open(file);
        client.close();
        client.close();
        client.knock(1);
        assertEquals(0, listener.last());
        listener.close();
        assertEquals(0, listener.last());
    }

    @Test
    void itIsCreatedOnceAndOpenedOnlyWhereItIs() throws IOException {
        assertThrows(NoSuchFileException.class, () -> Knocker.open(file));
        Knocker.create(file).close();
        assertThrows(FileAlreadyExistsException.class, () -> Knocker.create(file));
    }
}

package org.exsockets.verbs.soft.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What listeners tell their clients by way of their process. */
class ListenerPageTest {
    private OwnProcess process;

    @BeforeEach
    void make() throws IOException {
        DescriptorPoll.require();
        process = new OwnProcess();
    }

    @Test
    void theListenerSeesTheLastKnockOfAnyClient() throws IOException {
        ListenerPage listener = process.openPage();
        PeerMappings<Long, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(process.descriptor()));
        ListenerPage client = known.page(listener.number());
        assertEquals(0, listener.last());
        client.knock(5);
        assertEquals(5, listener.last());
        client.knock(-7);
        assertEquals(-7, listener.last());
        processes.release(known);
    }

    @Test
    void theListenerSaysWhetherItListensAndThereIsRoom() throws IOException {
        ListenerPage listener = process.openPage();
        PeerMappings<Long, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(process.descriptor()));
        ListenerPage client = known.page(listener.number());
        assertTrue(client.isListening());
        assertFalse(client.isFull());
        listener.setFull(true);
        assertTrue(client.isFull());
        process.closePage(listener);
        assertFalse(client.isListening());
        assertEquals(listener, process.openPage());
        assertTrue(client.isListening(), "another one's by now");
        assertFalse(client.isFull());
        processes.release(known);
    }

    @Test
    void thereAreSoManyPages() {
        List<ListenerPage> all = new ArrayList<>();
        for (ListenerPage page; (page = process.openPage()) != null; ) {
            all.add(page);
        }
        assertEquals(ProcessDescriptor.PAGES, all.size());
        process.closePage(all.get(7));
        assertNotNull(process.openPage());
        assertNull(process.openPage());
    }

    @Test
    void aProcessIsMappedOnceAndUnmappedWithItsLastUser() throws IOException {
        PeerMappings<Long, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess first = processes.keep(PeerProcess.open(process.descriptor()));
        assertEquals(process.token(), first.token());
        assertEquals(first, processes.keep(PeerProcess.open(process.descriptor())));
        assertEquals(first, processes.find(process.token()));
        assertNull(processes.find(process.token() + 1));
        assertEquals(1, processes.size());
        processes.release(first);
        processes.release(first);
        assertEquals(1, processes.size());
        processes.release(first);
        assertEquals(0, processes.size());
        assertNull(processes.find(process.token()));
    }

    @Test
    void aPageThatCannotBeIsNone() throws IOException {
        PeerMappings<Long, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(process.descriptor()));
        assertNull(known.page(-1));
        assertNull(known.page(ProcessDescriptor.PAGES));
        assertNull(known.page(Integer.MAX_VALUE));
        processes.release(known);
    }
}

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
        process = new OwnProcess(false);
    }

    @Test
    void theListenerSeesTheLastKnockOfAnyClient() throws IOException {
        ListenerPage listener = process.openPage();
        PeerMappings<PeerProcess.Name, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(1, process.descriptor()));
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
        PeerMappings<PeerProcess.Name, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(1, process.descriptor()));
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
        PeerMappings<PeerProcess.Name, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess first = processes.keep(PeerProcess.open(1, process.descriptor()));
        PeerProcess.Name name = new PeerProcess.Name(1, process.token());
        assertEquals(name, first.name());
        assertEquals(first, processes.keep(PeerProcess.open(1, process.descriptor())));
        assertEquals(first, processes.find(name));
        assertNull(processes.find(new PeerProcess.Name(1, process.token() + 1)));
        assertNull(processes.find(new PeerProcess.Name(2, process.token())));
        assertEquals(1, processes.size());
        processes.release(first);
        processes.release(first);
        assertEquals(1, processes.size());
        processes.release(first);
        assertEquals(0, processes.size());
        assertNull(processes.find(name));
    }

    /** Whoever knows a process can show its memory as his own. */
    @Test
    void aProcessIsWhoTheKernelSaysItIs() throws IOException {
        PeerMappings<PeerProcess.Name, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess[] all = new PeerProcess[4];
        int[] processIds = {1, 2, PeerProcess.UNSEEN, PeerProcess.UNSEEN};
        for (int i = 0; i < all.length; i++) {
            all[i] = processes.keep(PeerProcess.open(processIds[i], process.descriptor()));
        }
        assertEquals(all.length, processes.size());
        assertTrue(all[1].isSeen());
        assertTrue(all[1].is(2));
        assertFalse(all[1].is(1));
        assertFalse(all[2].isSeen());
        assertFalse(all[2].is(PeerProcess.UNSEEN));
        for (PeerProcess each : all) {
            processes.release(each);
        }
    }

    @Test
    void aPageThatCannotBeIsNone() throws IOException {
        PeerMappings<PeerProcess.Name, PeerProcess> processes = new PeerMappings<>(Integer.MAX_VALUE);
        PeerProcess known = processes.keep(PeerProcess.open(1, process.descriptor()));
        assertNull(known.page(-1));
        assertNull(known.page(ProcessDescriptor.PAGES));
        assertNull(known.page(Integer.MAX_VALUE));
        processes.release(known);
    }
}

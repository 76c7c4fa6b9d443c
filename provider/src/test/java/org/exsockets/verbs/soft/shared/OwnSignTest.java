package org.exsockets.verbs.soft.shared;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.junit.jupiter.api.Test;

/** A sign without a connection: SleepSignTest has those that are shown. */
class OwnSignTest {
    /** Or its thread would come back at once, for ever. */
    @Test
    void aSignOnWhoseWordTheKernelRefusesASleepIsOfNoUseAnyMore() throws Exception {
        DescriptorPoll.require();
        SharedMemory memory = SharedMemory.create(ProcessDescriptor.LENGTH);
        SleepWords refused = new SleepWords(memory.words()) {
            @Override
            public int sleep(int offset, long timeoutNs) {
                return -1;
            }
        };
        OwnSign sign = new OwnSign(new SignNumbers(), memory.words(), 3, refused);
        assertTrue(sign.asleep(SleepSign.Place.WORD));
        assertFalse(sign.word().sleep(Long.MAX_VALUE), "the kernel refuses");
        assertFalse(sign.asleep(SleepSign.Place.WORD));
        memory.unmap();
    }
}

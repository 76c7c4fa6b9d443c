package org.exsockets.verbs.soft.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.exsockets.jdk.DescriptorPoll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the system refuses at its limit. A machine with such a setting is a virtual one of the long tests. */
class StrictOvercommitTest {
    private static final int TOO_MUCH = 2047 << 20;

    private final MachineMemory machine = new MachineMemory();

    @BeforeEach
    void look() throws IOException {
        assumeTrue(machine.isStrict(), "vm.overcommit_memory is not 2");
        assumeTrue(machine.spareBytes() < TOO_MUCH, "the machine has more");
        DescriptorPoll.require();
    }

    @Test
    void memoryThatIsNotThereIsRefusedWhenItIsTaken() {
        SystemFailure refused = assertThrows(SystemFailure.class, () -> SharedMemory.create(TOO_MUCH, TOO_MUCH));
        assertEquals(SystemFailure.NO_SPACE, refused.error());
        assertTrue(refused.mayPass());
    }

    @Test
    void aRefusalLeavesNothing() throws IOException {
        SharedMemory memory = SharedMemory.create(TOO_MUCH);
        assertFalse(memory.allocate(0, TOO_MUCH));
        assertEquals(0, OpenDescriptors.usedBytes(memory.descriptor()));
        assertTrue(memory.allocate(0, 1 << 20));
        assertEquals(1 << 20, OpenDescriptors.usedBytes(memory.descriptor()));
        memory.unmap();
    }
}

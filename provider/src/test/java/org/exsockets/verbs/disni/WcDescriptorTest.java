package org.exsockets.verbs.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class WcDescriptorTest {
    @Test
    void aFailedCompletionTellsWhatTheStructureHas() {
        ByteBuffer memory = ByteBuffer.allocate(2 * WcDescriptor.LENGTH).order(ByteOrder.nativeOrder());
        // struct ibv_wc: wr_id, status, opcode (not valid), vendor_err, byte_len, imm_data, qp_num
        memory.position(WcDescriptor.LENGTH)
                .putLong(0x1234)
                .putInt(12)
                .putInt(99)
                .putInt(0x81)
                .putInt(98)
                .putInt(97)
                .putInt(17);
        assertEquals(
                "ibv_wc_status=12, vendor_err=0x81, wr_id=0x1234, qp=17",
                WcDescriptor.describe(memory, WcDescriptor.LENGTH));
    }
}

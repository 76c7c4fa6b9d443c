package org.exsockets.compat.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.exsockets.compat.contract.FileTransfersContract;
import org.junit.jupiter.api.Test;

class FileTransfersIT extends FileTransfersContract implements OverTcp {
    /** The JDK's native method behind which sendfile is; also where a channel has fallen back to TCP. */
    @Test
    void kernelCopies() throws Exception {
        assertEquals("transferTo0", framesOfABlockedTransfer().get(0).getMethodName());
    }
}

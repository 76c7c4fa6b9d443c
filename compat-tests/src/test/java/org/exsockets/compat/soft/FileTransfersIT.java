package org.exsockets.compat.soft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.compat.contract.FileTransfersContract;
import org.junit.jupiter.api.Test;

class FileTransfersIT extends FileTransfersContract implements OverSoft {
    @Test
    void jdksLoopOverASmallArrayIsNotUsed() throws Exception {
        List<String> classes = framesOfABlockedTransfer().stream()
                .map(StackTraceElement::getClassName)
                .toList();
        assertTrue(classes.contains("org.exsockets.socket.FileCopy"), () -> "frames: " + classes);
    }
}

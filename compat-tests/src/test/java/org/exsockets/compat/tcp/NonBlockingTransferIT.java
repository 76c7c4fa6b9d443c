package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.NonBlockingTransferContract;

class NonBlockingTransferIT extends NonBlockingTransferContract implements OverTcp {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.NonBlockingTransferContract;

class NonBlockingTransferIT extends NonBlockingTransferContract implements OverDisni {}

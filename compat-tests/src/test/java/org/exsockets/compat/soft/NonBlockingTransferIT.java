package org.exsockets.compat.soft;

import org.exsockets.compat.contract.NonBlockingTransferContract;

class NonBlockingTransferIT extends NonBlockingTransferContract implements OverSoft {}

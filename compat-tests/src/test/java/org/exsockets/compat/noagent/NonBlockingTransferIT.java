package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.NonBlockingTransferContract;

class NonBlockingTransferIT extends NonBlockingTransferContract implements WithoutAgent {}

package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousTransferContract;

class AsynchronousTransferIT extends AsynchronousTransferContract implements WithoutAgent {}

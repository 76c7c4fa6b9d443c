package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousTransferContract;

class AsynchronousTransferIT extends AsynchronousTransferContract implements OverTcp {}

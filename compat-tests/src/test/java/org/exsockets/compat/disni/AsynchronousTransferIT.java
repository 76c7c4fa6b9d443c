package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousTransferContract;

class AsynchronousTransferIT extends AsynchronousTransferContract implements OverDisni {}

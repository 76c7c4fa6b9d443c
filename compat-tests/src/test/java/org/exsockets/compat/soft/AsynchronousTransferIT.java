package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousTransferContract;

class AsynchronousTransferIT extends AsynchronousTransferContract implements OverSoft {}

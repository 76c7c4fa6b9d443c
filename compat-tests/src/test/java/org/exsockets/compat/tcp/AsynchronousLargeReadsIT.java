package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousLargeReadsContract;

class AsynchronousLargeReadsIT extends AsynchronousLargeReadsContract implements OverTcp {}

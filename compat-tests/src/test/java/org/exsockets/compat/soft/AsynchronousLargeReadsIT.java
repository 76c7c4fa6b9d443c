package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousLargeReadsContract;

class AsynchronousLargeReadsIT extends AsynchronousLargeReadsContract implements OverSoft {}

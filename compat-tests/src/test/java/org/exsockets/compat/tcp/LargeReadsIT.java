package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.LargeReadsContract;

class LargeReadsIT extends LargeReadsContract implements OverTcp {}

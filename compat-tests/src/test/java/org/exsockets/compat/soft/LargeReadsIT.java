package org.exsockets.compat.soft;

import org.exsockets.compat.contract.LargeReadsContract;

class LargeReadsIT extends LargeReadsContract implements OverSoft {}

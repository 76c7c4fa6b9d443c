package org.exsockets.compat.disni;

import org.exsockets.compat.contract.LargeReadsContract;

class LargeReadsIT extends LargeReadsContract implements OverDisni {}

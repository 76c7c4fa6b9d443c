package org.exsockets.compat.soft;

import org.exsockets.compat.contract.BlockingChannelContract;

class BlockingChannelIT extends BlockingChannelContract implements OverSoft {}

package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.BlockingChannelContract;

class BlockingChannelIT extends BlockingChannelContract implements OverTcp {}

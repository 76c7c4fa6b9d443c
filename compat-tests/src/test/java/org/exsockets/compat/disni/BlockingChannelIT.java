package org.exsockets.compat.disni;

import org.exsockets.compat.contract.BlockingChannelContract;

class BlockingChannelIT extends BlockingChannelContract implements OverDisni {}

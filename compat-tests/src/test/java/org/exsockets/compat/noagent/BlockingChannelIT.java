package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.BlockingChannelContract;

class BlockingChannelIT extends BlockingChannelContract implements WithoutAgent {}

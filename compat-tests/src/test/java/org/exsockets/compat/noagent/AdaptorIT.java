package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AdaptorContract;

class AdaptorIT extends AdaptorContract implements WithoutAgent {}

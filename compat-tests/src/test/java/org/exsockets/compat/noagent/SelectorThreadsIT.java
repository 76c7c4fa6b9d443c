package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.SelectorThreadsContract;

class SelectorThreadsIT extends SelectorThreadsContract implements WithoutAgent {}

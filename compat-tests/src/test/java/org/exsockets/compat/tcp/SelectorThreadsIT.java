package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SelectorThreadsContract;

class SelectorThreadsIT extends SelectorThreadsContract implements OverTcp {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SelectorThreadsContract;

class SelectorThreadsIT extends SelectorThreadsContract implements OverDisni {}

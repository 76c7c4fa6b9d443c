package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SelectorThreadsContract;

class SelectorThreadsIT extends SelectorThreadsContract implements OverSoft {}

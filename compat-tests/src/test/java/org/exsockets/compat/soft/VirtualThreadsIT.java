package org.exsockets.compat.soft;

import org.exsockets.compat.contract.VirtualThreadsContract;

class VirtualThreadsIT extends VirtualThreadsContract implements OverSoft {}

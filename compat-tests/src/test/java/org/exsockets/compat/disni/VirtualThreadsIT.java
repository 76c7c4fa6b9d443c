package org.exsockets.compat.disni;

import org.exsockets.compat.contract.VirtualThreadsContract;

class VirtualThreadsIT extends VirtualThreadsContract implements OverDisni {}

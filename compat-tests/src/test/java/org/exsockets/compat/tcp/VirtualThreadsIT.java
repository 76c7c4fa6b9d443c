package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.VirtualThreadsContract;

class VirtualThreadsIT extends VirtualThreadsContract implements OverTcp {}

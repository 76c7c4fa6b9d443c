package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ManyConnectionsContract;

class ManyConnectionsIT extends ManyConnectionsContract implements OverTcp {}

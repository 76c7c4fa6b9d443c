package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ManyConnectionsContract;

class ManyConnectionsIT extends ManyConnectionsContract implements OverSoft {}

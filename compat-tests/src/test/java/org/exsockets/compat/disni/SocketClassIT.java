package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SocketClassContract;

class SocketClassIT extends SocketClassContract implements OverDisni {}

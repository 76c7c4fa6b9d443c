package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SocketClassContract;

class SocketClassIT extends SocketClassContract implements OverTcp {}

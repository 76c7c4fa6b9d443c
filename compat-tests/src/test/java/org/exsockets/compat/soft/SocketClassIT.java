package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SocketClassContract;

class SocketClassIT extends SocketClassContract implements OverSoft {}

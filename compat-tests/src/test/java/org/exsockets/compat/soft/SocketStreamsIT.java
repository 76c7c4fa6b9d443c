package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SocketStreamsContract;

class SocketStreamsIT extends SocketStreamsContract implements OverSoft {}

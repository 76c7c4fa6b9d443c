package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SocketStreamsContract;

class SocketStreamsIT extends SocketStreamsContract implements OverTcp {}

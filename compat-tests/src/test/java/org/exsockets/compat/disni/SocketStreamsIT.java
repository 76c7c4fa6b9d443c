package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SocketStreamsContract;

class SocketStreamsIT extends SocketStreamsContract implements OverDisni {}

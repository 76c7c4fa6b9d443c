package org.exsockets.compat.disni;

import org.exsockets.compat.contract.SocketTimeoutsContract;

class SocketTimeoutsIT extends SocketTimeoutsContract implements OverDisni {}

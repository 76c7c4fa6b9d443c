package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.SocketTimeoutsContract;

class SocketTimeoutsIT extends SocketTimeoutsContract implements OverTcp {}

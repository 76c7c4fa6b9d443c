package org.exsockets.compat.soft;

import org.exsockets.compat.contract.SocketTimeoutsContract;

class SocketTimeoutsIT extends SocketTimeoutsContract implements OverSoft {}

package org.exsockets.compat.soft;

import org.exsockets.compat.contract.NonBlockingConnectContract;

class NonBlockingConnectIT extends NonBlockingConnectContract implements OverSoft {}

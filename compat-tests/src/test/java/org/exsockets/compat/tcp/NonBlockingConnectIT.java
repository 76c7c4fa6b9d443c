package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.NonBlockingConnectContract;

class NonBlockingConnectIT extends NonBlockingConnectContract implements OverTcp {}

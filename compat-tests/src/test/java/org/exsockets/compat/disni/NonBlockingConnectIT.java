package org.exsockets.compat.disni;

import org.exsockets.compat.contract.NonBlockingConnectContract;

class NonBlockingConnectIT extends NonBlockingConnectContract implements OverDisni {}

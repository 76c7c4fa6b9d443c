package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.NonBlockingConnectContract;

class NonBlockingConnectIT extends NonBlockingConnectContract implements WithoutAgent {}

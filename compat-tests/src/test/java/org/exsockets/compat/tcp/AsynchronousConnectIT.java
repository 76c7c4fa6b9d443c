package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousConnectContract;

class AsynchronousConnectIT extends AsynchronousConnectContract implements OverTcp {}

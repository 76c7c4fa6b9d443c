package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousConnectContract;

class AsynchronousConnectIT extends AsynchronousConnectContract implements OverDisni {}

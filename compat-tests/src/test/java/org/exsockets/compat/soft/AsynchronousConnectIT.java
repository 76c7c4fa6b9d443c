package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousConnectContract;

class AsynchronousConnectIT extends AsynchronousConnectContract implements OverSoft {}

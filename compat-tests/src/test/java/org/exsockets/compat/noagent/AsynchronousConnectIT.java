package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousConnectContract;

class AsynchronousConnectIT extends AsynchronousConnectContract implements WithoutAgent {}

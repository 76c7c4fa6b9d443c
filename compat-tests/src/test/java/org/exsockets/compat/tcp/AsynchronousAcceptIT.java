package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousAcceptContract;

class AsynchronousAcceptIT extends AsynchronousAcceptContract implements OverTcp {}

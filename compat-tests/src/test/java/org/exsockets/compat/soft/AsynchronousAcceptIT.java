package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousAcceptContract;

class AsynchronousAcceptIT extends AsynchronousAcceptContract implements OverSoft {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousAcceptContract;

class AsynchronousAcceptIT extends AsynchronousAcceptContract implements OverDisni {}

package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousAcceptContract;

class AsynchronousAcceptIT extends AsynchronousAcceptContract implements WithoutAgent {}

package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousEndingsContract;

class AsynchronousEndingsIT extends AsynchronousEndingsContract implements WithoutAgent {}

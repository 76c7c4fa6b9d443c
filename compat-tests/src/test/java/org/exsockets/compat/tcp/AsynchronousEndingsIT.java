package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousEndingsContract;

class AsynchronousEndingsIT extends AsynchronousEndingsContract implements OverTcp {}

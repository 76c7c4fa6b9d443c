package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousEndingsContract;

class AsynchronousEndingsIT extends AsynchronousEndingsContract implements OverDisni {}

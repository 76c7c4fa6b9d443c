package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousEndingsContract;

class AsynchronousEndingsIT extends AsynchronousEndingsContract implements OverSoft {}

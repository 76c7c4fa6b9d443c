package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AsynchronousGroupContract;

class AsynchronousGroupIT extends AsynchronousGroupContract implements OverSoft {}

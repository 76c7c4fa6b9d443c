package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousGroupContract;

class AsynchronousGroupIT extends AsynchronousGroupContract implements OverTcp {}

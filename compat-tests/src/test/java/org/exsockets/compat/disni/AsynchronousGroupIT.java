package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AsynchronousGroupContract;

class AsynchronousGroupIT extends AsynchronousGroupContract implements OverDisni {}

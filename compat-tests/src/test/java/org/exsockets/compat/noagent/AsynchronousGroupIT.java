package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousGroupContract;

class AsynchronousGroupIT extends AsynchronousGroupContract implements WithoutAgent {}

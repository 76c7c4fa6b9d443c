package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.AsynchronousBusyGroupContract;

class AsynchronousBusyGroupIT extends AsynchronousBusyGroupContract implements WithoutAgent {}

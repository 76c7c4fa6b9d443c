package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AsynchronousBusyGroupContract;

class AsynchronousBusyGroupIT extends AsynchronousBusyGroupContract implements OverTcp {}

package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.RefusedConnectsContract;

class RefusedConnectsIT extends RefusedConnectsContract implements OverTcp {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.RefusedConnectsContract;

class RefusedConnectsIT extends RefusedConnectsContract implements OverDisni {}

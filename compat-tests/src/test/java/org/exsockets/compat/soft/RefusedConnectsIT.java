package org.exsockets.compat.soft;

import org.exsockets.compat.contract.RefusedConnectsContract;

class RefusedConnectsIT extends RefusedConnectsContract implements OverSoft {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.ReadinessContract;

class ReadinessIT extends ReadinessContract implements OverDisni {}

package org.exsockets.compat.disni;

import org.exsockets.compat.contract.EsPlacementContract;

class EsPlacementIT extends EsPlacementContract implements OverDisni {}

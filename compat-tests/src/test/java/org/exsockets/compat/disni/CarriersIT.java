package org.exsockets.compat.disni;

import org.exsockets.compat.contract.CarriersContract;

class CarriersIT extends CarriersContract implements OverDisni {}

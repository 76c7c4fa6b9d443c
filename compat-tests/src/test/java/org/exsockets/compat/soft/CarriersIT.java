package org.exsockets.compat.soft;

import org.exsockets.compat.contract.CarriersContract;

class CarriersIT extends CarriersContract implements OverSoft {}

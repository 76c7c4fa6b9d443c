package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.CarriersContract;

class CarriersIT extends CarriersContract implements OverTcp {}

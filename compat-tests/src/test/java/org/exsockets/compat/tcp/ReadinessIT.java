package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ReadinessContract;

class ReadinessIT extends ReadinessContract implements OverTcp {}

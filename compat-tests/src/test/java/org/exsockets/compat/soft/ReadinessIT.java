package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ReadinessContract;

class ReadinessIT extends ReadinessContract implements OverSoft {}

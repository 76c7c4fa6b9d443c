package org.exsockets.compat.noagent;

import org.exsockets.compat.contract.ReadinessContract;

class ReadinessIT extends ReadinessContract implements WithoutAgent {}

package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.ChurnContract;

class ChurnIT extends ChurnContract implements OverTcp {}

package org.exsockets.compat.soft;

import org.exsockets.compat.contract.ChurnContract;

class ChurnIT extends ChurnContract implements OverSoft {}

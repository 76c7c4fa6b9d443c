package org.exsockets.compat.soft;

import org.exsockets.compat.contract.AdaptorContract;

class AdaptorIT extends AdaptorContract implements OverSoft {}

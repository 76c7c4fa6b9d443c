package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.AdaptorContract;

class AdaptorIT extends AdaptorContract implements OverTcp {}

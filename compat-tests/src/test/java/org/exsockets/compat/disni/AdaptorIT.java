package org.exsockets.compat.disni;

import org.exsockets.compat.contract.AdaptorContract;

class AdaptorIT extends AdaptorContract implements OverDisni {}

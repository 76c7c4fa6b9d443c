package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.LongStreamContract;

class LongStreamIT extends LongStreamContract implements OverTcp {}

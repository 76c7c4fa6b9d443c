package org.exsockets.compat.tcp;

import org.exsockets.compat.contract.KeySetsContract;

class KeySetsIT extends KeySetsContract implements OverTcp {}
